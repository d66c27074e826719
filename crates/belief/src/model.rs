//! A model is a file: the places, the regions they are gathered into, the ways that were recorded, and the settings by
//! which tables are made of them.
//!
//! The ways themselves are kept, because the best tracker walks along them, and because every table (by side, phase of
//! the round, player) is a count over them: keeping both would keep everything twice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::graph::{Distances, Graph};
use crate::play::{Life, Moment, Play, Situation, Who};
use crate::regions::Regions;
use crate::tables::phase_of;

/// The format's name and version.
pub const FORMAT: &str = "repertoire-belief 1";

/// How tables are made of recorded ways. The defaults were chosen by log-loss on rounds left out (de_dust2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FitSettings {
    /// Into how many regions places are gathered.
    pub regions: usize,
    /// Steps of a stay that are told apart.
    pub slots: usize,
    /// How many recorded moves the map's links are worth when moves between regions are counted.
    pub mesh_weight: f64,
    /// How many moments the play of everybody is worth beside the play of one side.
    pub all_weight: f64,
    /// How many moments the play of a side is worth beside its play in one phase of the round.
    pub side_weight: f64,
    /// How many moments the play of others is worth beside the player's own.
    pub others_weight: f64,
    /// The share of belief that is redrawn each step from where the side is at that time.
    pub leak: f64,
    /// How much more a player's own play counts for where they usually are at a given time.
    pub habit: f64,
    /// How many visits every place of a region is given beforehand, so that none counts as impossible.
    pub unvisited: f64,
    /// Where a side is at a given time is learned from moments within this many seconds of it.
    pub window_secs: u8,
    /// How fast the fastest players run, in units of the map per second.
    pub run_speed: f64,
}

impl Default for FitSettings {
    fn default() -> Self {
        FitSettings {
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
    /// Whether the clock of the play means nothing, as in a deathmatch: then neither phases of a round nor the time count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_timeless: bool,
    /// How tables are made.
    pub settings: FitSettings,
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
    ///
    /// ```
    /// use repertoire_belief::model::FitSettings;
    /// use repertoire_belief::play::{Moment, Play, Round, Situation, Who};
    /// use repertoire_belief::region::{RegionTracker, Tables};
    /// use repertoire_belief::{Evidence, Fitted, Graph, Model, Quarry, Tracker};
    ///
    /// // Two rooms; a guard goes from one to the other and back.
    /// let rooms = Graph {
    ///     ids: vec![0, 1],
    ///     centres: vec![[0.0; 3], [5.0, 0.0, 0.0]],
    ///     links: vec![vec![1], vec![0]],
    ///     names: vec![String::new(); 2],
    /// };
    /// let at = |secs: u32| Moment {
    ///     secs: f64::from(secs),
    ///     live: secs > 0,
    ///     planted: false,
    ///     who: vec![Who { player: 0, side: 0, alive: true, place: secs / 3 % 2 }],
    /// };
    /// let round = Round { name: "1".into(), moments: (0..30).map(at).collect(), ..Round::default() };
    /// let play = Play { players: vec!["guard".into()], sides: vec!["guards".into()], rounds: vec![round] };
    /// let model = Model::fit("rooms", rooms, &play, FitSettings::default())?;
    ///
    /// let fitted = Fitted::new(model)?;
    /// let mut tracker = RegionTracker::new(&fitted, Tables::Plain);
    /// tracker.begin(Quarry { side: 0, player: None }, Situation::default(), 0);
    /// let hidden = Evidence::Unseen { visible: &[0.0; 2], heard: None, watchers: &[] };
    /// (0..4).for_each(|_| tracker.step(Situation::default(), hidden));
    /// let mut belief = [0.0; 2];
    /// tracker.belief(&mut belief);
    /// assert!(belief[1] > 0.5, "after four seconds they have probably gone over: {belief:?}");
    /// # Ok::<(), repertoire_belief::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// When the play is not on these places, the places are no graph, or the settings are none.
    pub fn fit(map: &str, places: Graph, play: &Play, settings: FitSettings) -> Result<Self, ModelError> {
        check_places(&places)?;
        let distances = places.distances();
        Self::fit_with(map, places, &distances, play, settings)
    }

    /// The same, where the distances are already known.
    ///
    /// # Errors
    /// As [`Model::fit`].
    pub fn fit_with(
        map: &str,
        places: Graph,
        distances: &Distances,
        play: &Play,
        settings: FitSettings,
    ) -> Result<Self, ModelError> {
        check_places(&places)?;
        settings.check()?;
        if distances.places() != places.len() {
            return Err(ModelError::Uneven);
        }
        for round in &play.rounds {
            let is_there = |who: &Who| {
                (who.place as usize) < places.len()
                    && usize::from(who.player) < play.players.len()
                    && usize::from(who.side) < play.sides.len()
            };
            let is_fine = |moment: &Moment| moment.secs.is_finite() && moment.who.iter().all(is_there);
            if !round.moments.iter().all(is_fine) {
                return Err(ModelError::Play { round: round.name.clone() });
            }
        }
        let lives = play.lives();
        let mut weight = vec![0.05; places.len()];
        for life in &lives {
            life.places.iter().for_each(|&place| weight[place as usize] += 1.0);
        }
        let regions = Regions::gather(distances, &weight, settings.regions);
        Ok(Model {
            format: FORMAT.to_owned(),
            map: map.to_owned(),
            period_secs: play.step_secs(),
            is_timeless: !play.rounds.is_empty() && play.rounds.iter().all(|round| round.is_timeless),
            settings,
            sides: play.sides.clone(),
            players: play.players.clone(),
            places,
            regions,
            lives,
        })
    }

    /// The phase of a round; where the clock means nothing there is only one.
    pub fn phase(&self, situation: Situation) -> usize {
        if self.is_timeless { 0 } else { phase_of(situation) }
    }

    /// What is wrong with a file, if anything.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ModelError> {
        if self.format != FORMAT {
            return Err(ModelError::Format(self.format.clone()));
        }
        check_places(&self.places)?;
        let (n, regions) = (self.places.len(), self.regions.len());
        let centres = &self.regions.centres;
        if self.regions.of.len() != n
            || self.regions.of.iter().any(|&r| usize::from(r) >= regions)
            || centres.iter().any(|&place| place as usize >= n)
        {
            return Err(ModelError::Region);
        }
        for (k, life) in self.lives.iter().enumerate() {
            let known =
                usize::from(life.player) < self.players.len() && usize::from(life.side) < self.sides.len();
            let is_step = (life.step_secs - self.period_secs).abs() <= 1e-9 * self.period_secs;
            let is_time =
                is_step && life.start_secs.is_finite() && life.planted_at_secs.is_none_or(f64::is_finite);
            if !known || !is_time || life.places.iter().any(|&place| place as usize >= n) {
                return Err(ModelError::Life(k));
            }
        }
        if !(self.period_secs.is_finite() && self.period_secs > 0.0) {
            return Err(ModelError::Settings);
        }
        self.settings.check()
    }
}

/// Each region needs this much play to learn from, in seconds of players' lives.
const SECS_A_REGION: f64 = 40.0;
/// More regions than this gained nothing.
const MOST_REGIONS: usize = 400;

impl FitSettings {
    /// The defaults, with more regions where there is more to learn from. Where the clock means nothing there are no more: in people's
    /// deathmatches finer regions were worse, however much play there was.
    pub fn for_play(play: &Play) -> Self {
        let settings = FitSettings::default();
        if play.rounds.iter().all(|round| round.is_timeless) {
            return settings;
        }
        let moments: usize = play.lives().iter().map(|life| life.places.len()).sum();
        let regions = (moments as f64 * play.step_secs() / SECS_A_REGION) as usize;
        FitSettings { regions: regions.clamp(settings.regions, MOST_REGIONS), ..settings }
    }

    /// What is wrong with them, if anything.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ModelError> {
        if self.regions == 0 || self.slots == 0 || !(self.run_speed.is_finite() && self.run_speed > 0.0) {
            return Err(ModelError::Settings);
        }
        let weights = [
            ("mesh_weight", self.mesh_weight),
            ("all_weight", self.all_weight),
            ("side_weight", self.side_weight),
            ("others_weight", self.others_weight),
            ("leak", self.leak),
            ("habit", self.habit),
            ("unvisited", self.unvisited),
        ];
        match weights.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((name, value)) => Err(ModelError::Weight { name, value }),
            None => Ok(()),
        }
    }
}

fn check_places(places: &Graph) -> Result<(), ModelError> {
    let n = places.len();
    if n == 0 || n > usize::from(u16::MAX) {
        return Err(ModelError::Places(n));
    }
    if places.ids.len() != n || places.links.len() != n || places.names.len() != n {
        return Err(ModelError::Uneven);
    }
    if places.links.iter().flatten().any(|&to| to as usize >= n) {
        return Err(ModelError::Link);
    }
    if places.centres.iter().flatten().any(|x| !x.is_finite()) {
        return Err(ModelError::Centre);
    }
    Ok(())
}
