//! The text in a map that says where everything is: blocks of `"key" "value"` in braces.

use std::collections::BTreeMap;

use super::Vec3;

/// A thing in a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// All that is said of it.
    pub values: BTreeMap<String, String>,
}

impl Entity {
    /// A value, empty if it is not there.
    pub fn value(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    /// What it is: `info_player_deathmatch`, `func_door`.
    pub fn kind(&self) -> &str {
        self.value("classname")
    }

    /// Where it is, if it has a place.
    pub fn origin(&self) -> Option<Vec3> {
        let mut numbers = self.value("origin").split_whitespace().map(|number| number.parse::<f32>().ok());
        let at = [numbers.next()??, numbers.next()??, numbers.next()??];
        at.iter().all(|part| part.is_finite()).then_some(at)
    }

    /// The number of its model in the map, if it is made of the map's own walls.
    pub fn model(&self) -> Option<usize> {
        self.value("model").strip_prefix('*')?.parse().ok()
    }

    /// Whether bodies meet it: doors, lifts, buttons, walls; not triggers.
    pub fn is_solid(&self) -> bool {
        self.kind().starts_with("func_") && self.kind() != "func_illusionary"
    }

    /// Its spawn flags, as bits.
    pub fn flags(&self) -> u32 {
        self.value("spawnflags").parse().unwrap_or(0)
    }
}

/// Reads the text. What is no text of this form ends the reading; maps in use have oddities at the end.
pub fn parse(text: &[u8]) -> Vec<Entity> {
    let mut entities = Vec::new();
    let mut open: Option<Entity> = None;
    let mut key: Option<String> = None;
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'{' => open = Some(Entity::default()),
            b'}' => {
                entities.extend(open.take());
                key = None;
            }
            b'"' => {
                let Some(end) = rest.iter().position(|&byte| byte == b'"') else { break };
                let word = String::from_utf8_lossy(&rest[..end]).into_owned();
                rest = &rest[end + 1..];
                match (key.take(), &mut open) {
                    (Some(key), Some(entity)) => {
                        entity.values.insert(key, word);
                    }
                    (None, Some(_)) => key = Some(word),
                    (_, None) => {}
                }
            }
            _ => {}
        }
    }
    entities
}

/// The text that [`parse`] reads.
pub(crate) fn write(entities: &[Entity]) -> Vec<u8> {
    let mut text = String::new();
    for entity in entities {
        text += "{\n";
        for (key, value) in &entity.values {
            text += &format!("\"{key}\" \"{value}\"\n");
        }
        text += "}\n";
    }
    text.into_bytes()
}

/// How many there are of each kind, in the order of their names.
pub fn kinds(entities: &[Entity]) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    for entity in entities.iter().filter(|entity| !entity.kind().is_empty()) {
        *kinds.entry(entity.kind()).or_insert(0) += 1;
    }
    kinds
}
