//! Protocol 1: what the bridge says and what it is told, a line of JSON each.
//!
//! | who    | line                                                                                      |
//! |--------|-------------------------------------------------------------------------------------------|
//! | bridge | `{"bridge": 1, "vizdoom": "1.3.2", "variables": [..], "buttons": [..]}`, once             |
//! | we     | `{"start": {"wad", "map", "seed", "arguments", "bots", "pictures"}}`, once                |
//! | bridge | a state: `{"tic", "own", "seen", "there", "said"}`                                        |
//! | we     | `{"act": [a number a button], "tics": 2, "at_once": false}`, and `"picture": FILE` for one|
//! | bridge | a state, or `{"over": true}`                                                              |
//! | we     | `{"end": true}`                                                                           |
//!
//! Instead of any answer the bridge may say `{"error": "..."}` and end. Lengths are Doom's units, angles degrees, speeds
//! units a tic, as the engine gives them: everything else is worked out on this side.

use serde::{Deserialize, Serialize};

use crate::DoomError;

/// The version that both sides must speak.
pub const PROTOCOL: u32 = 1;

macro_rules! variables {
    ($($name:ident),+ $(,)?) => {
        /// The engine's numbers about the player, in the order of [`State::own`].
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, missing_docs)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Variable { $($name),+ }
        impl Variable {
            /// Their names, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];
        }
    };
}

variables!(
    HEALTH,
    ARMOR,
    POSITION_X,
    POSITION_Y,
    POSITION_Z,
    ANGLE,
    PITCH,
    VELOCITY_X,
    VELOCITY_Y,
    VELOCITY_Z,
    VIEW_HEIGHT,
    ON_GROUND,
    ATTACK_READY,
    SELECTED_WEAPON,
    WEAPON1,
    WEAPON2,
    WEAPON3,
    WEAPON4,
    WEAPON5,
    WEAPON6,
    WEAPON7,
    AMMO2,
    AMMO3,
    AMMO4,
    AMMO5,
    AMMO6,
    AMMO7,
    FRAGCOUNT,
    DEATHCOUNT,
    DAMAGE_TAKEN,
    DAMAGECOUNT,
    HITCOUNT,
    ITEMCOUNT,
    DEAD,
    PLAYER_NUMBER,
    PLAYER_COUNT,
    PLAYER1_FRAGCOUNT,
    PLAYER2_FRAGCOUNT,
    PLAYER3_FRAGCOUNT,
    PLAYER4_FRAGCOUNT,
    PLAYER5_FRAGCOUNT,
    PLAYER6_FRAGCOUNT,
    PLAYER7_FRAGCOUNT,
    PLAYER8_FRAGCOUNT,
);

/// The buttons, in the order of [`Action::buttons`].
pub const BUTTONS: [&str; 14] = [
    "TURN_LEFT_RIGHT_DELTA",
    "LOOK_UP_DOWN_DELTA",
    "MOVE_FORWARD_BACKWARD_DELTA",
    "MOVE_LEFT_RIGHT_DELTA",
    "ATTACK",
    "USE",
    "JUMP",
    "SELECT_WEAPON1",
    "SELECT_WEAPON2",
    "SELECT_WEAPON3",
    "SELECT_WEAPON4",
    "SELECT_WEAPON5",
    "SELECT_WEAPON6",
    "SELECT_WEAPON7",
];

/// What the bridge says first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol it speaks.
    pub bridge: u32,
    /// The version of ViZDoom.
    pub vizdoom: String,
    /// The names of [`State::own`].
    pub variables: Vec<String>,
    /// The names of [`Action::buttons`].
    pub buttons: Vec<String>,
}

impl Hello {
    /// Refuses a bridge that speaks otherwise.
    pub fn check(&self) -> Result<(), DoomError> {
        let same = self.bridge == PROTOCOL && self.variables == Variable::NAMES && self.buttons == BUTTONS;
        if same { Ok(()) } else { Err(DoomError::OtherProtocol { theirs: self.bridge }) }
    }
}

/// The match to start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The file of maps.
    pub wad: String,
    /// The map, such as `MAP01`.
    pub map: String,
    /// Where the engine's chance begins.
    pub seed: u32,
    /// The engine's command line.
    pub arguments: String,
    /// The names of the engine's own bots to add; an empty name is any of them.
    pub bots: Vec<String>,
    /// Whether pictures will be asked for: they are larger and in colour.
    pub pictures: bool,
}

/// Something in view: class, number (kept while it exists), position, velocity.
pub type SeenThing = (String, i64, f64, f64, f64, f64, f64, f64);

/// Something, in view or not: class, number, position.
pub type Thing = (String, i64, f64, f64, f64);

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Tics since the match began.
    pub tic: u64,
    /// See [`Variable`].
    pub own: Vec<f64>,
    /// What is in view: class, number, position, velocity.
    pub seen: Vec<SeenThing>,
    /// Players and what makes a noise, in view or not: class, number, position.
    pub there: Vec<Thing>,
    /// What the engine told the player in words: the feed of deaths, what was picked up.
    pub said: String,
}

impl State {
    /// One of the engine's numbers; 0 if it is not there.
    pub fn get(&self, variable: Variable) -> f64 {
        self.own.get(variable as usize).copied().filter(|value| value.is_finite()).unwrap_or(0.0)
    }

    /// Whether the player is dead.
    pub fn is_dead(&self) -> bool {
        self.get(Variable::DEAD) != 0.0 || self.get(Variable::HEALTH) <= 0.0
    }
}

/// What the player does until the next state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// A number for each of [`BUTTONS`].
    #[serde(rename = "act")]
    pub buttons: [f64; BUTTONS.len()],
    /// How many tics to hold the keys.
    pub tics: u32,
    /// Whether to turn in the first tic instead of evenly.
    pub at_once: bool,
    /// A file to write a picture of the next state to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// What the bridge says when there is no next state.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Last {
    error: Option<String>,
    over: bool,
}

/// Reads a line that answers an action: a state, or none when the match is over.
pub fn read_state(line: &str) -> Result<Option<State>, DoomError> {
    let garbled = || DoomError::Garbled { line: line.chars().take(200).collect() };
    if line.starts_with("{\"tic\"") {
        let state: State = serde_json::from_str(line).map_err(|_| garbled())?;
        return if state.own.len() == Variable::NAMES.len() { Ok(Some(state)) } else { Err(garbled()) };
    }
    match serde_json::from_str(line).map_err(|_| garbled())? {
        Last { error: Some(error), .. } => Err(DoomError::Engine { what: error }),
        Last { over: true, .. } => Ok(None),
        Last { .. } => Err(garbled()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_states_ends_and_errors_and_nothing_else() {
        let state = State { tic: 7, own: vec![1.0; Variable::NAMES.len()], ..State::default() };
        let line = serde_json::to_string(&state).expect("a state is JSON");
        assert_eq!(read_state(&line).expect("it was written so"), Some(state));
        assert_eq!(read_state("{\"over\":true}").expect("an end"), None);
        let engine = read_state("{\"error\":\"no map\"}").expect_err("an error").to_string();
        assert!(engine.contains("no map"), "{engine}");
        for wrong in [
            "",
            "{",
            "{}",
            "[1]",
            "{\"tic\":1}",
            "{\"tic\":1,\"own\":[1],\"seen\":[],\"there\":[],\"said\":\"\"}",
        ] {
            assert!(matches!(read_state(wrong), Err(DoomError::Garbled { .. })), "{wrong}");
        }
    }

    #[test]
    fn the_bridge_names_the_same_variables_and_buttons() {
        let list = |from: &str| -> Vec<String> {
            let (_, rest) =
                crate::bridge::BRIDGE.split_once(&format!("{from} = \"\"\"")).expect("it is there");
            let (names, _) = rest.split_once("\"\"\"").expect("it ends");
            names.split_whitespace().map(str::to_owned).collect()
        };
        assert_eq!(list("\nVARIABLES"), Variable::NAMES);
        assert_eq!(list("\nBUTTONS"), BUTTONS);
        assert!(crate::bridge::BRIDGE.contains(&format!("\nPROTOCOL = {PROTOCOL}\n")));
    }

    #[test]
    fn a_bridge_of_another_version_is_refused() {
        let mut hello = Hello {
            bridge: PROTOCOL,
            vizdoom: "1.3.2".to_owned(),
            variables: Variable::NAMES.iter().map(|&name| name.to_owned()).collect(),
            buttons: BUTTONS.map(str::to_owned).to_vec(),
        };
        assert!(hello.check().is_ok());
        hello.bridge += 1;
        assert!(hello.check().is_err());
    }
}
