//! Many matches at once, in which some bodies are moved from Python: what the environments of `repertoire.envs` are made of.
//!
//! A match that ends begins anew in the same step. What everybody saw last goes to `final_observations`.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use repertoire::eval::tournament::Tally;
use repertoire::maps;
use repertoire::prob::stream::counter;
use repertoire::roster::{self, Entry};
use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::level::Level;
use repertoire::worlds::arena::rules::Rules;

use crate::fault::{Fault, read, shape, slice, slice_mut, write};
use crate::observe::{ACTED, OBSERVED, command, observe};
use crate::policy::{self, Puppet};

/// What a step is worth.
#[derive(Clone, Copy)]
struct Worth {
    frag: f64,
    death: f64,
    damage: f64,
    item: f64,
}

/// What all matches share.
struct Setting {
    level: Arc<Level>,
    opponents: Vec<Entry>,
    agents: usize,
    frags: i32,
    most_ticks: u32,
    worth: Worth,
}

/// One match, and whom it is played with.
struct Game {
    game: Match,
    puppets: Vec<Puppet>,
    before: Vec<Tally>,
}

impl Game {
    fn new(setting: &Setting, seed: u64) -> Self {
        let puppets: Vec<Puppet> = (0..setting.agents).map(|_| Puppet::default()).collect();
        let ours = puppets.iter().enumerate();
        let ours =
            ours.map(|(k, puppet)| Contender { name: format!("agent_{k}"), mind: Box::new(puppet.clone()) });
        let theirs = setting.opponents.iter();
        let theirs = theirs.map(|entry| Contender { name: entry.name.clone(), mind: (entry.make)() });
        let mut game =
            Match::new(Arc::clone(&setting.level), Rules::default(), ours.chain(theirs).collect(), seed);
        game.perceive();
        Game { before: vec![Tally::default(); setting.agents], game, puppets }
    }

    fn observe(&self, to: &mut [f32]) {
        for (id, to) in to.chunks_exact_mut(OBSERVED).enumerate() {
            let alive = self.game.world().is_alive(id);
            observe(alive.then(|| &self.game.percepts()[id]), to);
        }
    }

    /// One decision of everybody; whether the match is won, and whether its time is over.
    fn step(&mut self, setting: &Setting, actions: &[f32], rewards: &mut [f64]) -> (bool, bool) {
        for (puppet, action) in self.puppets.iter().zip(actions.chunks_exact(ACTED)) {
            puppet.set(command(action));
        }
        self.game.decide();
        self.game.advance();
        self.game.perceive();
        for (id, (before, reward)) in self.before.iter_mut().zip(rewards).enumerate() {
            let now = self.game.world().tally(id);
            let more = |now: u32, before: u32| f64::from(now) - f64::from(before);
            let Worth { frag, death, damage, item } = setting.worth;
            *reward = frag * f64::from(now.frags - before.frags)
                + death * more(now.deaths, before.deaths)
                + damage * more(now.damage, before.damage)
                + item * more(now.items, before.items);
            *before = now;
        }
        let is_won = self.game.best_frags() >= setting.frags;
        (is_won, !is_won && self.game.world().tick() >= setting.most_ticks)
    }
}

/// Matches of the arena that are stepped together.
#[pyclass(module = "repertoire")]
pub struct VectorArena {
    setting: Setting,
    seeds: Vec<u64>,
    episodes: Vec<u64>,
    /// Minds may change threads, but not be used on two at once.
    games: Mutex<Vec<Game>>,
}

fn episode_seed(seed: u64, episode: u64) -> u64 {
    // Below 2^53, so that recordings and JSON keep it.
    counter(seed, episode) >> 11
}

impl VectorArena {
    fn games(&mut self) -> &mut Vec<Game> {
        self.games.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl VectorArena {
    #[new]
    #[pyo3(signature = (count, agents, opponents, map, seconds, frags, rewards))]
    fn new(
        count: usize,
        agents: usize,
        opponents: Vec<String>,
        map: &str,
        seconds: f64,
        frags: i32,
        rewards: (f64, f64, f64, f64),
    ) -> Result<Self, Fault> {
        let within = |what: &str, ok: bool, remedy: &str| match ok {
            true => Ok(()),
            false => Err(Fault::with_remedy(what, remedy)),
        };
        within(&format!("{count} matches at once"), (1..=65_536).contains(&count), "from 1 to 65536")?;
        within(&format!("{agents} agents"), (1..=255).contains(&agents), "from 1 to 255")?;
        let all = agents.saturating_add(opponents.len());
        within(&format!("{all} characters in one match"), (2..=255).contains(&all), "from 2 to 255")?;
        within(
            &format!("matches of {seconds} s"),
            seconds > 0.0 && seconds <= 1e6,
            "above 0, at most 1000000",
        )?;
        within(&format!("matches to {frags} frags"), frags >= 1, "at least 1")?;
        let (frag, death, damage, item) = rewards;
        let finite = [frag, death, damage, item].iter().all(|one| one.is_finite());
        within("a reward that is not a number", finite, "finite numbers")?;
        let opponents: Vec<Entry> =
            opponents.iter().map(|one| roster::find(one)).collect::<Result<_, _>>()?;
        let (_, level) = maps::find(map)?;
        let most_ticks = (seconds / Rules::default().period_secs()).round().max(1.0) as u32;
        let worth = Worth { frag, death, damage, item };
        let setting = Setting { level, opponents, agents, frags, most_ticks, worth };
        let seeds = (0..count as u64).collect();
        Ok(VectorArena { setting, seeds, episodes: vec![0; count], games: Mutex::default() })
    }

    /// Begins all matches: with these seeds, or with the next ones of those before. Observations go to `[match, agent, number]`.
    #[pyo3(signature = (seeds, observations))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Option<Vec<u64>>,
        observations: &Bound<'_, PyArray3<f32>>,
    ) -> PyResult<()> {
        let count = self.seeds.len();
        shape("observations", observations.shape(), &[count, self.setting.agents, OBSERVED])?;
        let mut to = write(observations, "observations")?;
        let to = slice_mut(&mut to, "observations")?;
        match seeds {
            Some(seeds) => {
                crate::fault::length("seeds", seeds.len(), count)?;
                (self.seeds, self.episodes) = (seeds, vec![0; count]);
            }
            None if !self.games().is_empty() => self.episodes.iter_mut().for_each(|episode| *episode += 1),
            None => {}
        }
        let VectorArena { setting, seeds, episodes, games } = self;
        let games = games.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| {
            let begun = seeds.par_iter().zip(episodes.par_iter());
            *games = begun.map(|(&seed, &episode)| Game::new(setting, episode_seed(seed, episode))).collect();
            let room = OBSERVED * setting.agents;
            games.par_iter_mut().zip(to.par_chunks_exact_mut(room)).for_each(|(game, to)| game.observe(to));
        });
        Ok(())
    }

    /// One decision in every match. `terminated` and `truncated` (uint8) say which ended; these begin anew at once if
    /// `begins_anew`, and `final_observations` has what was seen last.
    #[allow(clippy::too_many_arguments, reason = "one array for each thing that a step gives")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: &Bound<'_, PyArray3<f32>>,
        observations: &Bound<'_, PyArray3<f32>>,
        rewards: &Bound<'_, PyArray2<f64>>,
        terminated: &Bound<'_, PyArray1<u8>>,
        truncated: &Bound<'_, PyArray1<u8>>,
        final_observations: &Bound<'_, PyArray3<f32>>,
        begins_anew: bool,
    ) -> PyResult<()> {
        let (count, agents) = (self.seeds.len(), self.setting.agents);
        if self.games().is_empty() {
            return Err(Fault::with_remedy("the matches have not begun", "call reset first").into());
        }
        shape("actions", actions.shape(), &[count, agents, ACTED])?;
        shape("observations", observations.shape(), &[count, agents, OBSERVED])?;
        shape("final_observations", final_observations.shape(), &[count, agents, OBSERVED])?;
        shape("rewards", rewards.shape(), &[count, agents])?;
        shape("terminated", terminated.shape(), &[count])?;
        shape("truncated", truncated.shape(), &[count])?;
        let actions = read(actions, "actions")?;
        let actions = slice(&actions, "actions")?;
        actions.chunks_exact(ACTED).try_for_each(policy::check)?;
        let (mut seen, mut last) =
            (write(observations, "observations")?, write(final_observations, "final_observations")?);
        let (mut worth, mut won, mut over) =
            (write(rewards, "rewards")?, write(terminated, "terminated")?, write(truncated, "truncated")?);
        let (seen, last) =
            (slice_mut(&mut seen, "observations")?, slice_mut(&mut last, "final_observations")?);
        let worth = slice_mut(&mut worth, "rewards")?;
        let (won, over) = (slice_mut(&mut won, "terminated")?, slice_mut(&mut over, "truncated")?);
        let VectorArena { setting, seeds, episodes, games } = self;
        let games = games.get_mut().unwrap_or_else(PoisonError::into_inner);
        let setting = &*setting;
        py.detach(|| {
            let room = OBSERVED * agents;
            let matches = games.par_iter_mut().zip(episodes.par_iter_mut()).zip(seeds.par_iter());
            let given = actions.par_chunks_exact(ACTED * agents);
            let told = seen.par_chunks_exact_mut(room).zip(last.par_chunks_exact_mut(room));
            let ended = won.par_iter_mut().zip(over.par_iter_mut());
            let all = matches.zip(given).zip(told).zip(worth.par_chunks_exact_mut(agents)).zip(ended);
            all.with_min_len(4).for_each(
                |((((((game, episode), seed), actions), (seen, last)), worth), (won, over))| {
                    let (is_won, is_over) = game.step(setting, actions, worth);
                    (*won, *over) = (u8::from(is_won), u8::from(is_over));
                    if (is_won || is_over) && begins_anew {
                        game.observe(last);
                        *episode += 1;
                        *game = Game::new(setting, episode_seed(*seed, *episode));
                    }
                    game.observe(seen);
                },
            );
        });
        Ok(())
    }

    /// The frags of everybody in a match, agents first.
    fn frags(&mut self, index: usize) -> Result<Vec<(String, i32)>, Fault> {
        let none =
            || Fault::with_remedy(format!("there is no match {index}"), "call reset first, and count from 0");
        let game = &self.games().get(index).ok_or_else(none)?.game;
        let all = game.contenders().iter().enumerate();
        Ok(all.map(|(id, one)| (one.name.clone(), game.world().tally(id).frags)).collect())
    }

    /// The hash of a match's state, as 16 digits.
    fn state_hash(&mut self, index: usize) -> Result<String, Fault> {
        let none =
            || Fault::with_remedy(format!("there is no match {index}"), "call reset first, and count from 0");
        Ok(format!("{:016x}", self.games().get(index).ok_or_else(none)?.game.world().hash()))
    }
}
