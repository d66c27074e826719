"""The native half. Everything here is reached as ``repertoire.NAME``."""

from typing import Any, Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .reports import CharacterReport, Decision

__version__: str
OBSERVATION_NAMES: list[str]
ACTION_NAMES: list[str]
MAPS: list[str]
CHARACTERS: str

_Tell = Callable[[int, int], None] | None
_Column = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
_Columns = Mapping[str, _Column] | Sequence[_Column] | npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

class Design:
    """A kind of character of any game: what it senses, does, needs and knows, read from one TOML text.

    A mistake in the text is a ``RepertoireError`` with line, column and remedy; ``file`` is what it calls the text.
    """

    def __init__(self, toml: str, file: str | None = None) -> None: ...
    @staticmethod
    def load(path: Any) -> Design:
        """Reads a character's file, and the behaviours that it names."""
    def learn(self, csv: str, file: str | None = None) -> Design:
        """The same character with tables learned from watching others of its kind: CSV with a column for each sensor, ``task``,
        and optionally ``life``, which begins a new life wherever it changes. An empty cell is a sensor that was not read."""
    @property
    def name(self) -> str: ...
    @property
    def tasks(self) -> list[str]: ...
    @property
    def sensors(self) -> dict[str, list[str]]: ...
    @property
    def facts(self) -> dict[str, list[str]]: ...
    @property
    def needs(self) -> list[str]: ...
    @property
    def kinds(self) -> list[str]: ...
    @property
    def profiles(self) -> list[str]: ...
    @property
    def voices(self) -> list[str]: ...

class Deed:
    """What a character does now: the task, and the thing it is about."""

    @property
    def task(self) -> str: ...
    @property
    def task_index(self) -> int: ...
    @property
    def target(self) -> int | None: ...

class Mind:
    """One character and what it senses. The same design, seed and agent make the same individual."""

    def __init__(self, design: Design, seed: int = 0, agent: int = 0, profile: str | None = None) -> None: ...
    @property
    def design(self) -> Design: ...
    def see(self, sensor: str, value: str) -> None:
        """A sensor reads a value."""
    def believe(self, sensor: str, probabilities: npt.ArrayLike) -> None:
        """A sensor is not sure: how probable each of its values is."""
    def lose(self, sensor: str) -> None:
        """A sensor reads nothing."""
    def fact(self, fact: str, value: str) -> None:
        """A fact of the plan is seen to be so. Facts that are not seen are believed to be as they were last seen."""
    def offer(self, kind: str, thing: int, distance: float) -> None:
        """There is a thing of a kind that tasks are about. Things stay offered until ``clear``."""
    def opine(self, voice: str, says: npt.ArrayLike) -> None:
        """What somebody else says: for each task a number from 0 to 1."""
    def clear(self) -> None:
        """Nothing is sensed, seen, offered or said any more."""
    def sense(self, readings: Mapping[str, Any] | npt.ArrayLike) -> None:
        """Readings: a dict from sensor to value, to probabilities or to None; or an array with the number of each sensor's value,
        negative where nothing is read. If anything is refused, nothing has changed."""
    def tick(self, readings: Mapping[str, Any] | npt.ArrayLike | None = None) -> Deed:
        """One tick: perceive, believe, want, plan, decide, act. What is sensed stays until it is changed."""
    @property
    def doing(self) -> Deed | None: ...
    @property
    def needs(self) -> dict[str, float]: ...
    def ease(self, need: str, by: float) -> None:
        """Something that happened eases a need, or makes it worse if ``by`` is below 0."""
    def set_need(self, need: str, level: float) -> None:
        """How strongly a need is felt, told by the game, from 0 to 1."""
    def begin_life(self) -> None:
        """A new life of the same individual."""
    def report(self) -> CharacterReport:
        """Why it does what it does."""
    def save(self) -> bytes:
        """Everything that a later tick depends on, in mid-plan too, and what is sensed."""
    def restore(self, saved: bytes) -> None:
        """Goes on from what was saved, to the bit. If it is refused, the mind stays as it was."""

class Population:
    """Characters of one kind, numbered from ``first_agent`` on, ticked together on all processors."""

    def __init__(self, design: Design, count: int, seed: int = 0, first_agent: int = 0) -> None: ...
    def __len__(self) -> int: ...
    @property
    def design(self) -> Design: ...
    def tick(
        self,
        readings: _Columns | None = None,
        facts: _Columns | None = None,
        tasks: npt.NDArray[np.uint8] | None = None,
        targets: npt.NDArray[np.int64] | None = None,
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """One tick of everybody; gives tasks by number, and targets (-1 for none). Columns hold values by number, uint8 or uint16,
        the largest number where nothing is read, and are read where they are. Sensors without a column stay as they were."""
    def offer(self, kind: str, things: npt.NDArray[np.uint64], distances: npt.NDArray[np.float64]) -> None:
        """A thing of a kind for everybody. Things stay offered until ``clear``."""
    def believe(self, sensor: str, probabilities: npt.NDArray[np.float64]) -> None:
        """A sensor is not sure: a row of probabilities for everybody."""
    def clear(self) -> None: ...
    def need(self, need: str) -> npt.NDArray[np.float64]:
        """How strongly everybody feels a need, from 0 to 1."""
    def ease(self, need: str, by: npt.NDArray[np.float64]) -> None: ...
    def report(self, index: int) -> CharacterReport:
        """Why one of them does what it does."""

class Behaviour:
    """Which task comes next, given the task before and the sensors."""

    def __init__(self, toml: str, file: str | None = None) -> None: ...
    @staticmethod
    def load(name: str) -> Behaviour:
        """A shipped behaviour by name (prudent, aggressive, uniform), or a behaviour's file by path."""
    @property
    def name(self) -> str: ...
    @property
    def tasks(self) -> list[str]: ...
    @property
    def sensors(self) -> dict[str, list[str]]: ...
    def learn(self, csv: str, file: str | None = None) -> Behaviour: ...
    def decide(self, previous: str | None = None, sensors: Mapping[str, str] | None = None) -> Decision: ...
    def decide_all(
        self,
        sensors: Mapping[str, npt.NDArray[np.uint8]] | Sequence[npt.NDArray[np.uint8]] | npt.NDArray[np.uint8],
        tasks: npt.NDArray[np.uint8],
        seed: int = 0,
        tick: int = 0,
        first_agent: int = 0,
    ) -> int:
        """Decides for everybody: ``tasks`` holds the tasks before (255 for none), and then those chosen. Gives how often the
        sensors contradicted. Columns are read and written where they are."""

class Dynamics:
    """How an opponent moves: ``initial[place]``, ``transition[from, to]``, and for each place the chances of stays of 1, 2, ... steps."""

    def __init__(self, initial: npt.ArrayLike, transition: npt.ArrayLike, stays: Sequence[npt.ArrayLike]) -> None: ...
    @property
    def places(self) -> int: ...
    def mean_stay(self, place: int) -> float: ...

class Filter:
    """The belief about one opponent out of sight."""

    def __init__(self, dynamics: Dynamics) -> None: ...
    def begin(self, likelihood: npt.ArrayLike) -> None: ...
    def step(self, likelihood: npt.ArrayLike) -> None: ...
    @property
    def belief(self) -> npt.NDArray[np.float64]: ...
    @property
    def log_evidence(self) -> float: ...
    @property
    def steps(self) -> int: ...

class Filters:
    """Many filters of the same dynamics, stepped together on all processors; arrays are ``[filter, place]``."""

    def __init__(self, dynamics: Dynamics, count: int) -> None: ...
    def __len__(self) -> int: ...
    def begin(
        self, likelihood: npt.NDArray[np.float64], out: npt.NDArray[np.float64] | None = None
    ) -> npt.NDArray[np.float64]: ...
    def step(
        self, likelihood: npt.NDArray[np.float64], out: npt.NDArray[np.float64] | None = None
    ) -> npt.NDArray[np.float64]:
        """A filter whose observation is impossible believes nothing until all begin again: its row is 0."""
    @property
    def log_evidence(self) -> npt.NDArray[np.float64]: ...

def filter_all(
    dynamics: Dynamics, likelihood: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The whole filter at once: the belief at every step ``[step, place]``, and the log evidence."""

class Hmm:
    def __init__(self, pi: npt.ArrayLike, transition: npt.ArrayLike, emission: Sequence[npt.ArrayLike]) -> None: ...
    def learn(
        self, given: Sequence[npt.NDArray[np.int64]], iterations: int, learn_pi: bool
    ) -> tuple[Hmm, npt.NDArray[np.float64]]: ...
    def posterior(self, given: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]: ...
    @property
    def pi(self) -> npt.NDArray[np.float64]: ...
    @property
    def transition(self) -> npt.NDArray[np.float64]: ...
    @property
    def emission(self) -> list[npt.NDArray[np.float64]]: ...

class Match:
    """A match of the arena under way."""

    def __init__(self, contenders: Sequence[Any], map: str = "yard", seed: int = 1) -> None: ...
    @property
    def map(self) -> str: ...
    @property
    def seed(self) -> int: ...
    def tick(self, ticks: int = 1) -> None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def state_hash(self) -> str: ...
    def characters(self) -> list[dict[str, Any]]: ...
    def why(self, index: int) -> str: ...
    def save(self) -> str: ...
    def restore(self, saved: str, contenders: Sequence[Any]) -> None: ...

class Session:
    def __init__(self, door: str) -> None: ...
    def answer(self, line: str) -> str: ...

class VectorArena:
    def __init__(
        self,
        count: int,
        agents: int,
        opponents: Sequence[str],
        map: str,
        seconds: float,
        frags: int,
        rewards: tuple[float, float, float, float],
    ) -> None: ...
    def reset(self, seeds: Sequence[int] | None, observations: npt.NDArray[np.float32]) -> None: ...
    def step(
        self,
        actions: npt.NDArray[np.float32],
        observations: npt.NDArray[np.float32],
        rewards: npt.NDArray[np.float64],
        terminated: npt.NDArray[np.uint8],
        truncated: npt.NDArray[np.uint8],
        final_observations: npt.NDArray[np.float32],
        begins_anew: bool,
    ) -> None: ...
    def frags(self, index: int) -> list[tuple[str, int]]: ...
    def state_hash(self, index: int) -> str: ...

class Rounds:
    """Learning from many recordings: a question to all of them, answers that are committed, the next question."""

    def __init__(
        self,
        what: str,
        from_: Sequence[str],
        listed: Sequence[tuple[str, int]],
        store: Any,
        players: Sequence[str],
        work: str,
        start: str,
        method: str,
        model: str,
        decisions: int | None,
        delay: int,
        starts: int,
        iterations: int,
        seed: int,
        keep_aside: float | None,
    ) -> None: ...
    @property
    def step(self) -> int: ...
    @property
    def total(self) -> int: ...
    def ask(self) -> bytes | None:
        """The question of this round; None when all is learned."""
    def missing(self, shards: int) -> list[tuple[int, int]]:
        """The ranges of recordings that this round still lacks."""
    def commit(self, answer: bytes) -> None:
        """Keeps an answer; the next round begins when all recordings are answered for."""
    def finish(self, name: str) -> tuple[bytes, Any]: ...

class Practising:
    """Practice step by step: trials to play, and what follows from them."""

    def __init__(
        self, file: str, recordings: Sequence[str], players: Sequence[str], map: str, seconds: float, seed: int
    ) -> None: ...
    def ask(self) -> str | None: ...
    def tell(self, texts: Sequence[str]) -> None: ...
    def character(self) -> bytes: ...

def answer(question: bytes, start: int, end: int, threads: int, store: Any = None) -> bytes: ...
def shard_files(kind: str, what: str, copies: dict[str, str]) -> dict[str, str]: ...
def shard_total(kind: str, what: str, copies: dict[str, str]) -> int: ...
def shard_run(
    kind: str, what: str, range: tuple[int, int], threads: int, copies: dict[str, str], files: dict[str, str]
) -> str: ...
def tournament_merge(what: str, texts: Sequence[str], copies: dict[str, str]) -> Any: ...
def believable_merge(what: str, texts: Sequence[str], copies: dict[str, str]) -> Any: ...
def doors() -> list[dict[str, Any]]: ...
def tournament(
    contenders: Sequence[Any],
    maps: Sequence[str],
    matches: int,
    frags: int,
    seed: int,
    threads: int | None,
    time_limit: float,
    progress: _Tell,
) -> Any: ...
def record(
    path: str, contenders: Sequence[Any], map: str, seed: int, seconds: float, why: bool, progress: _Tell
) -> Any: ...
def replay(path: str, progress: _Tell) -> Any: ...
def signature(
    paths: Sequence[str], by: str, seconds: float, habits: bool, identify: bool, map: str | None, progress: _Tell
) -> Any: ...
def learn_places(paths: Sequence[str], passes: int, seed: int, output: str | None, progress: _Tell) -> Any: ...
def imitate(
    recordings: Sequence[str],
    players: Sequence[str],
    live: str | None,
    map: str,
    seconds: float,
    model: str,
    decisions: int | None,
    starts: int,
    iterations: int,
    seed: int,
    progress: _Tell,
) -> tuple[bytes, Any]: ...
def transitions(
    path: str, player: str
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.int32], npt.NDArray[np.uint32]]: ...
def cost_of_population(design: Design, count: int, readings: Sequence[Any], ticks: int) -> list[int]: ...
def cost_of_decisions(behaviour: str, sensors: Sequence[Any], tasks: Any, ticks: int) -> list[int]: ...
