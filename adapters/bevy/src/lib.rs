//! Minds for the characters of Bevy games: written as TOML assets, reloaded while they live, asked why at any tick.
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin, Update};
//! use bevy_asset::{AssetApp, AssetPlugin, Assets};
//! use bevy_repertoire::{Character, Doing, Mind, MindOf, Readings, RepertoirePlugin};
//!
//! let mut app = App::new();
//! app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), RepertoirePlugin::new(Update, 1)));
//! // In a game: `asset_server.load("villager.character.toml")`.
//! let villager = Character::parse(r#"
//!     name = "villager"
//!     tasks = ["work", "flee"]
//!     stay = 0.7
//!     sensors.wolf = ["away", "near"]
//!     likelihood.wolf.away = ["x", 0.02]
//!     likelihood.wolf.near = [0.01, "x"]
//! "#)?;
//! let villager = app.world_mut().resource_mut::<Assets<Character>>().add(villager);
//! let mut readings = Readings::default();
//! readings.see("wolf", "near")?;
//! let hob = app.world_mut().spawn((Mind::new(42, 7), MindOf(villager), readings)).id();
//! for _ in 0..10 {
//!     app.update();
//! }
//! let doing = app.world().get::<Doing>(hob).expect("it has decided");
//! assert_eq!(doing.task, "flee");
//! assert!(app.world().get::<Mind>(hob).expect("it lives").explain().contains("wolf=near"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module       | what it holds                                                                        |
//! |--------------|--------------------------------------------------------------------------------------|
//! | [`asset`]    | characters as TOML assets                                                            |
//! | [`mind`]     | the mind of an entity, what it does, why, and how it is saved                         |
//! | [`readings`] | what an entity senses                                                                |
//! | [`plugin`]   | the systems: being born, reloading, thinking on all processors, telling               |
//!
//! The same design, seed, agent and readings give the same deeds, to the bit, on any number of threads, here and in every other
//! adapter.

pub mod asset;
pub mod mind;
pub mod plugin;
pub mod readings;

pub use asset::{Character, CharacterLoader, LoadCharacterError};
pub use mind::{Doing, Explanation, Mind, MindOf};
pub use plugin::{MindReloaded, RepertoirePlugin, RepertoireSet, TaskChanged};
pub use readings::Readings;
