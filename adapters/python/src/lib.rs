//! Repertoire for Python: the native half of the package `repertoire`.
//!
//! The other half is Python, in `python/repertoire`: what is plain data goes through `doors` and becomes typed classes there. What
//! runs per tick or over arrays is here, on NumPy's own buffers.
//!
//! | module         | what it holds                                                              |
//! |----------------|----------------------------------------------------------------------------|
//! | [`fault`]      | what is wrong, as an exception with file, line and remedy                   |
//! | [`work`]       | long work: off the interpreter's lock, with progress, stopped by Ctrl-C     |
//! | [`columns`]    | what populations sense, as NumPy columns                                    |
//! | [`design`], [`mind`], [`population`] | characters of any game                                |
//! | [`behaviour`]  | which task comes next, for one or for columns                               |
//! | [`belief`], [`hmm`] | filters, one or many over arrays; hidden Markov models                 |
//! | [`observe`], [`policy`], [`arena`] | the arena for learners from elsewhere                   |
//! | [`play`], [`learn`] | matches, tournaments, recordings; what is learned from them            |
//! | [`cluster`]    | long work in shards and rounds, for many machines                           |
//! | [`door`]       | every other capability, as JSON in this process                             |
//! | [`cost`]       | the same work without Python, for the benchmark                             |

mod arena;
mod behaviour;
mod belief;
mod cluster;
mod columns;
mod cost;
mod design;
mod door;
mod fault;
mod hmm;
mod learn;
mod mind;
mod observe;
mod play;
mod policy;
mod population;
mod report;
mod store;
mod work;

use pyo3::prelude::*;

/// What the package is made of.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("OBSERVATION_NAMES", observe::names())?;
    module.add("ACTION_NAMES", observe::ACTIONS)?;
    module.add("MAPS", repertoire::maps::names())?;
    module.add("CHARACTERS", repertoire::roster::what_exists())?;
    module.add_class::<arena::VectorArena>()?;
    module.add_class::<behaviour::Behaviour>()?;
    module.add_class::<belief::Dynamics>()?;
    module.add_class::<belief::Filter>()?;
    module.add_class::<belief::Filters>()?;
    module.add_class::<cluster::Practising>()?;
    module.add_class::<cluster::Rounds>()?;
    module.add_class::<design::Design>()?;
    module.add_class::<door::Session>()?;
    module.add_class::<hmm::Hmm>()?;
    module.add_class::<mind::Deed>()?;
    module.add_class::<mind::Mind>()?;
    module.add_class::<play::Match>()?;
    module.add_class::<population::Population>()?;
    module.add_function(wrap_pyfunction!(belief::filter_all, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::answer, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::shard_run, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::shard_files, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::shard_total, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::tournament_merge, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::believable_merge, module)?)?;
    module.add_function(wrap_pyfunction!(cost::cost_of_decisions, module)?)?;
    module.add_function(wrap_pyfunction!(cost::cost_of_population, module)?)?;
    module.add_function(wrap_pyfunction!(door::doors, module)?)?;
    module.add_function(wrap_pyfunction!(learn::imitate, module)?)?;
    module.add_function(wrap_pyfunction!(learn::learn_places, module)?)?;
    module.add_function(wrap_pyfunction!(learn::signature, module)?)?;
    module.add_function(wrap_pyfunction!(learn::transitions, module)?)?;
    module.add_function(wrap_pyfunction!(play::record, module)?)?;
    module.add_function(wrap_pyfunction!(play::replay, module)?)?;
    module.add_function(wrap_pyfunction!(play::tournament, module)?)?;
    Ok(())
}
