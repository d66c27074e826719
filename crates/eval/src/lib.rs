//! How good characters are: matches between them, counted, compared and shown.
//!
//! | module         | what it holds                                                              |
//! |----------------|----------------------------------------------------------------------------|
//! | [`tournament`] | all characters against all in one arena, many times: Le Hy's protocol       |
//! | [`attention`]  | whether the attention of teachers is found whose attention is known         |
//! | [`attractors`] | several things to go for: coherence beside attention                         |
//! | [`believable`] | how believable a character is: ten requirements, ten numbers                |
//! | [`book`]       | what a person showed a pupil: corrected, taken back, asked where a number comes from |
//! | [`breakpoint`] | conditions at which a match that is watched stops                           |
//! | [`belief`]     | how well unseen opponents are tracked                                      |
//! | [`dujardin`]   | experiment 6.2 of Dujardin and Routier on maps drawn at random              |
//! | [`how_often`]  | many continuations of one moment, counted                                  |
//! | [`identify`]   | telling characters apart from what they did                                |
//! | [`interval`]   | means with a confidence interval                                           |
//! | [`judge`]      | how often people take opponents for people                                 |
//! | [`le_hy`]      | the experiments of Le Hy's thesis: table 4.31, and recovering a known teacher  |
//! | [`league`]     | tournaments of thousands of characters, at random tables of a few           |
//! | [`lesson`]     | what a teacher perceives and does, shown to whoever learns: recorded or live |
//! | [`likelihoods`] | how learning by imitation proceeds, iteration by iteration and life by life |
//! | [`minds`]      | what a whole mind is worth, stage by stage, in duels                       |
//! | [`pass`]       | whether pupils pass for their teachers: bots, by four ways to learn         |
//! | [`people`]     | what people do in numbers; their inputs through our rules of movement      |
//! | [`planning`]   | how planning grows: the figures of Prévost et al.                          |
//! | [`practice`]   | how sharply a learned character should attend, found by playing            |
//! | [`record`]     | a match as a recording, tick by tick                                       |
//! | [`replay`]     | a recorded match played again, every hash and percept compared             |
//! | [`seek`]       | how soon a character finds an opponent out of sight                        |
//! | [`signature`]  | how a player moves, as three histograms of angles; how far two are apart   |
//! | [`timeline`]   | a match that can be taken back to any moment, to the bit                   |
//! | [`tence`]      | his experiments: characters learned by imitation, beside their teachers      |
//! | [`town`]       | towns watched, recorded and repeated; what planning is worth in one           |
//! | [`topology`]   | how good learned places are: judged on other play, beside navigation points |
//! | [`what_if`]    | one moment, two futures with the same random numbers                       |
//! | [`why_not`]    | the smallest change of what was perceived that leads to another task       |
//!
//! Everything but the time of decisions is a function of the settings and the seed, on any number of threads.

pub mod attention;
pub mod attractors;
pub mod belief;
pub mod believable;
pub mod book;
pub mod breakpoint;
pub mod dujardin;
pub mod how_often;
pub mod identify;
pub mod judge;
pub mod le_hy;
pub mod lesson;
pub mod likelihoods;
pub mod minds;
pub mod pass;
pub mod people;
pub mod planning;
pub mod practice;
pub mod record;
pub mod replay;
pub mod seek;
pub mod signature;
pub mod soak;
pub mod telling;
pub mod tence;
pub mod timeline;
pub mod topology;
pub mod town;
pub mod what_if;
pub mod whole;
pub mod why_not;

pub use repertoire_tournament::{
    Entry, Interval, MatchResult, Outcome, Refused, Standing, Tournament, interval, league, shard, tournament,
};
