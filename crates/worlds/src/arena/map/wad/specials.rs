//! What the number on a line makes it do: Doom's 141 types, Boom's extended ones and its generalized ones.
//!
//! Source: the BOOM reference v1.3, part I. Generalized types hold their settings in bits, from the lowest: how they
//! are triggered (3; the last two act on the sector behind the line), speed (2), and then per family.

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Nothing, or nothing that characters would notice: lights, scrolling walls, a stop to something.
    None,
    /// Opens a door.
    OpenDoor,
    /// Closes one that is open. The world's doors stay open, so this does nothing.
    CloseDoor,
    /// Moves a floor down and up again.
    Lift(Ride),
    /// Sends who crosses it to a thing.
    Teleport,
    /// Sends who presses it to a thing, or who crosses it to another line.
    OtherTeleport,
    /// Sends only monsters.
    MonsterTeleport,
    /// Moves floors or ceilings in ways that the world does not know.
    MoveGround,
    /// Ends the level.
    Exit,
    /// Conveyors, wind, ice and mud.
    Drift,
    /// Not in the reference.
    Unknown,
}

/// How a lift moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ride {
    pub to: Stop,
    pub units_per_tic: u8,
    pub rest_secs: u8,
}

/// Between which heights a lift moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// From its own floor to the lowest around it.
    Lowest,
    /// From its own floor to the highest below it.
    NextLowest,
    /// Between the lowest and the highest around it.
    LowestAndHighest,
}

/// Which sectors a line acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All that bear its tag.
    Tagged,
    /// The one on its left.
    Behind,
}

/// What a line of a type does, and to which sectors.
pub fn read(special: u16) -> (Action, Reach) {
    let reach = match special {
        1 | 26..=28 | 31..=34 | 117 | 118 => Reach::Behind,
        0x2F80..=0x7FFF if special & 7 >= 6 => Reach::Behind,
        _ => Reach::Tagged,
    };
    (action(special), reach)
}

#[rustfmt::skip]
fn action(special: u16) -> Action {
    match special {
        0 => Action::None,
        1 | 26..=28 | 31..=34 | 117 | 118 => Action::OpenDoor,
        2 | 4 | 29 | 46 | 61 | 63 | 86 | 90 | 99 | 103 | 105 | 106 | 108 | 109 | 111 | 112 | 114 | 115 | 133..=137 => {
            Action::OpenDoor
        }
        3 | 16 | 42 | 50 | 75 | 76 | 107 | 110 | 113 | 116 | 175 | 196 => Action::CloseDoor,
        10 | 21 | 62 | 88 => Action::Lift(Ride { to: Stop::Lowest, units_per_tic: 4, rest_secs: 3 }),
        120..=123 => Action::Lift(Ride { to: Stop::Lowest, units_per_tic: 8, rest_secs: 3 }),
        53 | 87 | 162 | 181 => Action::Lift(Ride { to: Stop::LowestAndHighest, units_per_tic: 1, rest_secs: 3 }),
        39 | 97 | 207 | 208 => Action::Teleport,
        174 | 195 | 209 | 210 | 243 | 244 | 262 | 263 => Action::OtherTeleport,
        125 | 126 | 264..=269 => Action::MonsterTeleport,
        11 | 51 | 52 | 124 | 197 | 198 => Action::Exit,
        216 | 217 | 223..=226 | 247 | 248 | 252 | 253 => Action::Drift,
        // Floors, ceilings, crushers, stairs and lifts that carry their ceiling along.
        5..=9 | 14 | 15 | 18..=20 | 22..=25 | 30 | 36..=38 | 40 | 41 | 43..=45 | 47 | 49 | 55 | 56 | 58..=60
        | 64..=73 | 77 | 82..=84 | 91..=96 | 98 | 100..=102 | 119 | 127..=132 | 140..=152 | 155 | 158..=161
        | 164..=167 | 176..=180 | 183..=187 | 191 | 199..=206 | 211 | 212 | 219..=222 | 227..=238 | 256..=259 => {
            Action::MoveGround
        }
        // Lights, scrolling and painting of walls, and stops to what moves.
        12 | 13 | 17 | 35 | 48 | 54 | 57 | 74 | 78..=81 | 85 | 89 | 104 | 138 | 139 | 153 | 154 | 156 | 157 | 163
        | 168..=173 | 182 | 188..=190 | 192..=194 | 213..=215 | 218 | 239..=242 | 245 | 246 | 249..=251 | 254 | 255
        | 260 | 261 | 270..=272 => Action::None,
        0x3400..=0x37FF => generalized_lift(special),
        0x3800..=0x3BFF => Action::OpenDoor,
        // What kind of door: opens and closes, opens, closes and opens, closes.
        0x3C00..=0x3FFF if special >> 5 & 3 >= 2 => Action::CloseDoor,
        0x3C00..=0x3FFF => Action::OpenDoor,
        0x2F80..=0x33FF | 0x4000..=0x7FFF => Action::MoveGround,
        _ => Action::Unknown,
    }
}

fn generalized_lift(special: u16) -> Action {
    let to = match special >> 8 & 3 {
        0 => Stop::Lowest,
        1 => Stop::NextLowest,
        3 => Stop::LowestAndHighest,
        // Down to the lowest ceiling around: no floor that characters know of.
        _ => return Action::MoveGround,
    };
    let units_per_tic = 2 << (special >> 3 & 3);
    let rest_secs = match special >> 6 & 3 {
        0 => 1,
        1 => 3,
        2 => 5,
        _ => 10,
    };
    Action::Lift(Ride { to, units_per_tic, rest_secs })
}
