//! Eight levels of skill: what changes from a beginner to a champion.
//!
//! As games do it, the strategy is the same for all; aim, reaction, turning and speed differ, and the better ones
//! keep moving while they fight.

use serde::{Deserialize, Serialize};

/// What a level of skill means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// How far the aim wanders, in radians (standard deviation).
    pub aim_error: f64,
    /// From seeing somebody to acting on it.
    pub reaction_secs: f64,
    /// The fastest turn, in radians a second.
    pub turn_per_sec: f64,
    /// The share of full speed that it runs with.
    pub speed: f64,
    /// How much of a target's movement it aims ahead of: 0 not at all, 1 fully.
    pub lead: f64,
    /// How often it keeps moving while it fights.
    pub dodging: f64,
    /// Below this health it breaks off to look for more.
    pub cautious_below: f64,
}

impl Skill {
    /// Part of the way to another skill: 0 is this one, 1 the other.
    pub(super) fn towards(&self, other: &Skill, part: f64) -> Skill {
        let between = |one: f64, other: f64| one + (other - one) * part;
        Skill {
            // Errors shrink by shares, as they do from level to level.
            aim_error: self.aim_error * libm::pow(other.aim_error / self.aim_error, part),
            reaction_secs: between(self.reaction_secs, other.reaction_secs),
            turn_per_sec: between(self.turn_per_sec, other.turn_per_sec),
            speed: between(self.speed, other.speed),
            lead: between(self.lead, other.lead),
            dodging: between(self.dodging, other.dodging),
            cautious_below: between(self.cautious_below, other.cautious_below),
        }
    }

    /// Its numbers: name, value, least and most, as files have them.
    pub(super) fn numbers(&mut self) -> [(&'static str, &mut f64, [f64; 2]); 7] {
        [
            ("aim_error", &mut self.aim_error, [0.0, 1.0]),
            ("reaction_secs", &mut self.reaction_secs, [0.0, 3.0]),
            ("turn_per_sec", &mut self.turn_per_sec, [0.1, 100.0]),
            ("speed", &mut self.speed, [0.05, 1.0]),
            ("lead", &mut self.lead, [0.0, 1.0]),
            ("dodging", &mut self.dodging, [0.0, 1.0]),
            ("cautious_below", &mut self.cautious_below, [0.0, 200.0]),
        ]
    }

    /// The file of a native bot with hands of this skill, called so.
    pub fn to_toml(&self, name: &str, about: &str) -> String {
        let mut own = *self;
        let numbers = own
            .numbers()
            .map(|(number, value, [least, most])| format!("{number} = {:?}\n", value.clamp(least, most)));
        let text = |text: &str| format!("\"{}\"", text.escape_default());
        format!(
            "name = {}\nabout = {}\n\n[decide]\nby = \"machine\"\n\n[act]\nhands = \"native:3\"\n\n# Angles in radians.\n[act.skill]\n{}",
            text(name),
            text(about),
            numbers.concat()
        )
    }

    /// The highest level.
    pub const HIGHEST: u8 = 7;

    /// A level from 0 to 7; what is higher is 7.
    pub fn of_level(level: u8) -> Self {
        let part = f64::from(level.min(Self::HIGHEST)) / f64::from(Self::HIGHEST);
        let between = |beginner: f64, champion: f64| beginner + (champion - beginner) * part;
        Skill {
            // Errors halve about every two levels, so that each level is felt.
            aim_error: 0.3 * libm::exp2(-4.2 * part),
            reaction_secs: between(0.9, 0.1),
            turn_per_sec: between(2.5, 12.0),
            speed: between(0.65, 1.0),
            lead: part,
            dodging: between(0.1, 1.0),
            cautious_below: between(0.0, 12.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<std::sync::Arc<crate::fighter::FighterDesign>, String> {
        fn none<T>(name: &str) -> Result<T, repertoire_authored::Unavailable> {
            unreachable!("it names no file, and not {name}")
        }
        let mut files = crate::fighter::Files {
            behaviour: &mut none,
            taught: &mut none,
            profile: &mut none,
            domain: &mut none,
            model: &mut none,
            moments: &mut none,
            program: &mut none,
        };
        crate::fighter::FighterDesign::read(text, &mut files).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn a_skill_is_read_as_it_was_written_and_what_is_left_out_is_its_levels() {
        let skill = Skill { aim_error: 0.1 + 0.2, lead: 0.123_456_789_012_345_6, ..Skill::of_level(5) };
        let again = read(&skill.to_toml("pupil", "somebody \"like\" that")).expect("its own file");
        assert_eq!((again.name(), again.skill()), ("pupil", &skill));
        let some = "name = \"x\"\n[decide]\nby = \"machine\"\n[act]\nhands = \"native:6\"\n[act.skill]\nspeed = 0.5\n";
        assert_eq!(read(some).expect("one number").skill(), &Skill { speed: 0.5, ..Skill::of_level(6) });
    }

    #[test]
    fn a_skill_that_nobody_can_have_is_refused_with_a_line() {
        let file = |hands: &str, skill: &str| {
            format!(
                "name = \"x\"\n[decide]\nby = \"machine\"\n[act]\nhands = \"{hands}\"\n[act.skill]\n{skill}\n"
            )
        };
        let refused = read(&file("native:3", "speed = 1.5")).expect_err("faster than full speed");
        assert!(refused.contains("1.5") && refused.contains("from 0.05 to 1"), "{refused}");
        assert!(read(&file("native:3", "sped = 0.5")).is_err_and(|why| why.contains("sped")));
        assert!(read(&file("program", "speed = 0.5")).is_err_and(|why| why.contains("native")));
    }

    #[test]
    fn each_level_is_better_than_the_one_below() {
        for level in 1..=Skill::HIGHEST {
            let (better, worse) = (Skill::of_level(level), Skill::of_level(level - 1));
            assert!(better.aim_error < worse.aim_error && better.reaction_secs < worse.reaction_secs);
            assert!(better.turn_per_sec > worse.turn_per_sec && better.speed > worse.speed);
        }
    }
}
