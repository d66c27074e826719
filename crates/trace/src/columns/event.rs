//! Events as rows of a table: every fact that some event has is a column, empty where it has none.

use repertoire_mind::{DVec3, Event, Fire, Item, Weapon};

use super::scalar::Word;

/// An event's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Spawned,
    Fired,
    Struck,
    Hurt,
    Died,
    Frag,
    PickedUp,
    Teleported,
}

impl Word for Name {
    fn all() -> impl Iterator<Item = Self> {
        use Name::*;
        [Spawned, Fired, Struck, Hurt, Died, Frag, PickedUp, Teleported].into_iter()
    }
    fn word(self) -> &'static str {
        match self {
            Name::Spawned => "spawned",
            Name::Fired => "fired",
            Name::Struck => "struck",
            Name::Hurt => "hurt",
            Name::Died => "died",
            Name::Frag => "frag",
            Name::PickedUp => "picked-up",
            Name::Teleported => "teleported",
        }
    }
}

/// An event with a place for every fact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlatEvent {
    pub name: Name,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub z: Option<f64>,
    pub weapon: Option<Weapon>,
    pub fire: Option<Fire>,
    pub by: Option<u8>,
    pub damage: Option<f64>,
    pub victim: Option<u8>,
    pub spot: Option<u16>,
    pub item: Option<Item>,
}

impl FlatEvent {
    /// An event of which nothing is known yet.
    pub(crate) fn blank(name: Name) -> Self {
        FlatEvent {
            name,
            x: None,
            y: None,
            z: None,
            weapon: None,
            fire: None,
            by: None,
            damage: None,
            victim: None,
            spot: None,
            item: None,
        }
    }

    /// The event, or which facts it lacks.
    pub(crate) fn event(&self) -> Result<Event, &'static str> {
        let position = || Some(DVec3::new(self.x?, self.y?, self.z?));
        Ok(match self.name {
            Name::Spawned => {
                Event::Spawned { position: position().ok_or("`spawned` needs `x`, `y` and `z`")? }
            }
            Name::Teleported => {
                Event::Teleported { position: position().ok_or("`teleported` needs `x`, `y` and `z`")? }
            }
            Name::Fired => match (self.weapon, self.fire) {
                (Some(weapon), Some(fire)) => Event::Fired { weapon, fire },
                _ => return Err("`fired` needs `weapon` and `fire`"),
            },
            Name::Struck => match (self.victim, self.weapon, self.damage) {
                (Some(victim), Some(weapon), Some(damage)) => Event::Struck { victim, weapon, damage },
                _ => return Err("`struck` needs `victim`, `weapon` and `damage`"),
            },
            Name::Hurt => Event::Hurt { by: self.by, damage: self.damage.ok_or("`hurt` needs `damage`")? },
            Name::Died => Event::Died { by: self.by, weapon: self.weapon },
            Name::Frag => Event::Frag { victim: self.victim.ok_or("`frag` needs `victim`")? },
            Name::PickedUp => match (self.spot, self.item) {
                (Some(spot), Some(item)) => Event::PickedUp { spot, item },
                _ => return Err("`picked-up` needs `spot` and `item`"),
            },
        })
    }

    fn at(name: Name, at: DVec3) -> Self {
        FlatEvent { x: Some(at.x), y: Some(at.y), z: Some(at.z), ..FlatEvent::blank(name) }
    }
}

impl From<Event> for FlatEvent {
    fn from(event: Event) -> Self {
        let blank = FlatEvent::blank;
        match event {
            Event::Spawned { position } => FlatEvent::at(Name::Spawned, position),
            Event::Teleported { position } => FlatEvent::at(Name::Teleported, position),
            Event::Fired { weapon, fire } => {
                FlatEvent { weapon: Some(weapon), fire: Some(fire), ..blank(Name::Fired) }
            }
            Event::Struck { victim, weapon, damage } => FlatEvent {
                victim: Some(victim),
                weapon: Some(weapon),
                damage: Some(damage),
                ..blank(Name::Struck)
            },
            Event::Hurt { by, damage } => FlatEvent { by, damage: Some(damage), ..blank(Name::Hurt) },
            Event::Died { by, weapon } => FlatEvent { by, weapon, ..blank(Name::Died) },
            Event::Frag { victim } => FlatEvent { victim: Some(victim), ..blank(Name::Frag) },
            Event::PickedUp { spot, item } => {
                FlatEvent { spot: Some(spot), item: Some(item), ..blank(Name::PickedUp) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_names_and_their_facts() {
        let events = [
            Event::Spawned { position: DVec3::new(1.0, -0.0, 3.0) },
            Event::Fired { weapon: Weapon::Strong, fire: Fire::Secondary },
            Event::Struck { victim: 3, weapon: Weapon::Weak, damage: 12.5 },
            Event::Hurt { by: None, damage: 12.0 },
            Event::Died { by: None, weapon: None },
            Event::Frag { victim: 0 },
            Event::PickedUp { spot: 9, item: Item::Ammo(Weapon::Medium) },
            Event::Teleported { position: DVec3::new(0.0, 2.0, 1e300) },
        ];
        for event in events {
            let flat = FlatEvent::from(event);
            let json = serde_json::to_value(event).expect("an event is JSON");
            assert_eq!(json["event"], flat.name.word(), "the same name as everywhere");
            assert_eq!(flat.event(), Ok(event));
        }
        assert!(FlatEvent::blank(Name::Frag).event().is_err());
    }
}
