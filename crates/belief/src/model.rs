//! A model is a file: the places, the regions they are gathered into, the ways that were recorded, and the settings by
//! which tables are made of them.
//!
//! The ways themselves are kept, because the best tracker walks along them, and because every table (by side, phase of
//! the round, player) is a count over them: keeping both would keep everything twice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{Distances, Graph};
use crate::play::{Life, Play};
use crate::regions::Regions;

/// The format's name and version.
pub const FORMAT: &str = "repertoire-belief 1";

/// How tables are made of recorded ways. The defaults were chosen by log-loss on rounds left out (de_dust2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Into how many regions places are gathered.
    pub regions: usize,
    /// Steps of a stay that are told apart.
    pub slots: usize,
    /// What a map's links count beside recorded moves between regions.
    pub mesh_weight: f64,
    /// What all play counts beside play of the same side.
    pub all_weight: f64,
    /// What play of a side counts beside its play in the same phase.
    pub side_weight: f64,
    /// What play of others counts beside the player's own.
    pub others_weight: f64,
    /// The share of belief that is redrawn each step from where the side is at that time.
    pub leak: f64,
    /// How much more a player's own play counts where it will be at some time.
    pub habit: f64,
    /// What a place counts within its region beside its visits.
    pub unvisited: f64,
    /// Ways within this many seconds tell where a side is at some time.
    pub window_secs: u8,
    /// How fast the fastest run, in units of the map a second.
    pub run_speed: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            regions: 150,
            slots: 60,
            mesh_weight: 0.5,
            all_weight: 2.0,
            side_weight: 4.0,
            others_weight: 3.0,
            leak: 0.04,
            habit: 40.0,
            unvisited: 0.3,
            window_secs: 2,
            run_speed: 250.0,
        }
    }
}

/// The JSON schema of model files.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Model)
}

/// What is known of how people move on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// [`FORMAT`].
    pub format: String,
    /// The map's name.
    pub map: String,
    /// From one step to the next.
    pub period_secs: f64,
    /// How tables are made.
    pub settings: Settings,
    /// Names of the sides.
    pub sides: Vec<String>,
    /// Names of the players.
    pub players: Vec<String>,
    /// The places.
    pub places: Graph,
    /// The regions they are gathered into.
    pub regions: Regions,
    /// The recorded ways.
    pub lives: Vec<Life>,
}

impl Model {
    /// Learns from play.
    pub fn fit(map: &str, places: Graph, play: &Play, settings: Settings) -> Self {
        let distances = places.distances();
        Self::fit_with(map, places, &distances, play, settings)
    }

    /// The same, where the distances are already known.
    pub fn fit_with(
        map: &str,
        places: Graph,
        distances: &Distances,
        play: &Play,
        settings: Settings,
    ) -> Self {
        let lives = play.lives();
        let mut weight = vec![0.05; places.len()];
        for life in &lives {
            life.places.iter().for_each(|&place| weight[place as usize] += 1.0);
        }
        let regions = Regions::gather(distances, &weight, settings.regions);
        Model {
            format: FORMAT.to_owned(),
            map: map.to_owned(),
            period_secs: 1.0,
            settings,
            sides: play.sides.clone(),
            players: play.players.clone(),
            places,
            regions,
            lives,
        }
    }

    /// What is wrong with a file, if anything.
    pub fn check(&self) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("the format is `{}`, this program reads `{FORMAT}`", self.format));
        }
        let n = self.places.len();
        if n == 0 || n > usize::from(u16::MAX) {
            return Err(format!("a model needs between 1 and 65535 places; this one has {n}"));
        }
        if self.places.ids.len() != n || self.places.links.len() != n || self.places.names.len() != n {
            return Err("places: ids, centres, links and names must be equally many".to_owned());
        }
        if self.places.links.iter().flatten().any(|&to| to as usize >= n) {
            return Err("places: a link leads to a place that is not there".to_owned());
        }
        if self.places.centres.iter().flatten().any(|x| !x.is_finite()) {
            return Err("places: a centre is not a number".to_owned());
        }
        let regions = self.regions.len();
        if self.regions.of.len() != n || self.regions.of.iter().any(|&r| usize::from(r) >= regions) {
            return Err("regions: every place needs a region that is there".to_owned());
        }
        for (k, life) in self.lives.iter().enumerate() {
            let known =
                usize::from(life.player) < self.players.len() && usize::from(life.side) < self.sides.len();
            if !known || life.places.iter().any(|&place| place as usize >= n) || !life.start_secs.is_finite()
            {
                return Err(format!("lives[{k}]: its player, side or a place is not in the file"));
            }
        }
        if !(self.period_secs > 0.0 && self.settings.slots > 0 && self.settings.run_speed > 0.0) {
            return Err("period_secs, settings.slots and settings.run_speed must be above 0".to_owned());
        }
        Ok(())
    }
}
