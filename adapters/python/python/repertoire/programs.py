"""Bayesian programs: tables of knowledge, asked in any direction; opinions fused; tables learned from counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _native
from .door import Door, plain
from .errors import RepertoireError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Factor:
    """``P(left | given)`` as a nested table, the given variables first; ``"x"`` stands for what is left to make a row sum to 1."""

    left: Sequence[str]
    table: Any
    given: Sequence[str] = ()


@dataclass(frozen=True)
class Asked:
    """An answer: the distribution over what was searched, and how probable what is known was."""

    distribution: Array
    p_known: float


class Program:
    """Variables, and factors whose product is their joint distribution.

    >>> rain = Program({"rain": 2, "wet": 2}, [Factor(["rain"], [0.8, 0.2]), Factor(["wet"], [[0.9, 0.1], [0.2, 0.8]], ["rain"])])
    >>> rain.ask(["rain"], {"wet": 1}).distribution.round(3).tolist()
    [0.333, 0.667]
    """

    def __init__(self, variables: Mapping[str, int], factors: Sequence[Factor]) -> None:
        told = [{"left": list(one.left), "given": list(one.given), "table": plain(one.table)} for one in factors]
        self._door = Door("program", variables=list(variables), card=dict(variables), factors=told)

    def ask(self, searched: Sequence[str], known: Mapping[str, int] | None = None) -> Asked:
        """``P(searched | known)``; values are indices."""
        answer = self._door.ask(searched=list(searched), known=dict(known or {}))
        return Asked(np.asarray(answer["answer"], dtype=np.float64), float(answer["p_known"]))


@dataclass(frozen=True)
class Fused:
    """One command from many opinions; ``contradiction`` if they rule out everything, and then the fallback."""

    distribution: Array
    contradiction: bool
    log_z: float | None


def fuse(commands: Sequence[Any], modes: Sequence[str], prior: Any = None) -> Fused:
    """Fusion by enhanced coherence. Modes are ``prescriptive``, ``proscriptive`` or ``inactive``.

    >>> fuse([[0.5, 0.5], [0.9, 0.1]], ["prescriptive", "proscriptive"]).distribution.round(2).tolist()
    [0.1, 0.9]
    """
    answer = Door("fusion").ask(commands=plain(commands), modes=list(modes), prior=plain(prior))
    if answer.get("contradiction"):
        return Fused(np.asarray(answer["fallback"], dtype=np.float64), True, None)
    return Fused(np.asarray(answer["fused"], dtype=np.float64), False, float(answer["log_z"]))


def laplace(counts: Any) -> Array:
    """A table from counts, each cell with one more than was counted (Laplace's law of succession).

    >>> laplace([2, 0]).tolist()
    [0.75, 0.25]
    """
    return np.asarray(Door("laplace").ask(counts=plain(counts))["table"], dtype=np.float64)


@dataclass(frozen=True)
class Learned:
    """A hidden Markov model after learning."""

    pi: Array
    transition: Array
    emission: list[Array]
    log_likelihood: Array


def _rows(sequence: Any) -> npt.NDArray[np.int64]:
    """A row for each step; -1 where nothing was observed."""
    try:
        if isinstance(sequence, np.ndarray):
            rows = np.ascontiguousarray(sequence, dtype=np.int64)
        else:
            rows = np.array([[-1 if value is None else value for value in step] for step in sequence], dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RepertoireError(f"a sequence is no table of values: {error}", remedy="a list of values for each step") from error
    return rows[:, None] if rows.ndim == 1 and rows.size else rows


class HiddenMarkov:
    """A hidden Markov model of several observed variables: ``pi``, ``transition[from, to]``, one ``emission[state, value]`` each.

    A sequence is an integer array with a row for each step (negative where a variable was not observed), or a list of lists with
    None there.
    """

    def __init__(self, pi: Any, transition: Any, emission: Sequence[Any]) -> None:
        self._model = _native.Hmm(pi, transition, list(emission))

    @property
    def pi(self) -> Array:
        """How probable each state is at the start."""
        return self._model.pi

    @property
    def transition(self) -> Array:
        """How probable each state is after each."""
        return self._model.transition

    @property
    def emission(self) -> list[Array]:
        """For each variable, how probable its values are in each state."""
        return self._model.emission

    def learn(self, sequences: Sequence[Any], iterations: int = 10, learn_pi: bool = True) -> Learned:
        """Baum-Welch; ``log_likelihood`` is that before each iteration and after the last."""
        model, told = self._model.learn([_rows(one) for one in sequences], iterations, learn_pi)
        return Learned(model.pi, model.transition, model.emission, told)

    def posterior(self, sequences: Sequence[Any]) -> list[Array]:
        """``P(state at each step | whole sequence)``."""
        return [self._model.posterior(_rows(one)) for one in sequences]

    def log_likelihood(self, sequences: Sequence[Any]) -> float:
        """``ln P(sequences)``."""
        return float(self._model.learn([_rows(one) for one in sequences], 0, False)[1][0])


def learn_online(states: int, cards: Sequence[int], observations: Sequence[Any], likelihood: Any = None) -> dict[str, Any]:
    """Incremental Baum-Welch: tables and filtered states, learned while observations come in."""
    return Door("incremental-baum-welch").ask(
        states=states, cards=list(cards), observations=plain(list(observations)), task_likelihood=plain(likelihood)
    )


@dataclass(frozen=True)
class Deliberated:
    """A decision from everything that has a say; what each said, in nats."""

    posterior: Array
    contradiction: bool
    contributions: dict[str, Any]


def deliberate(
    transition: Any,
    previous: int | None,
    sensors: Sequence[Mapping[str, Any]] = (),
    opinions: Sequence[Mapping[str, Any]] = (),
) -> Deliberated:
    """One decision from what was done before, sensors that may be unsure, and weighted opinions for and against."""
    answer = Door("mind").ask(transition=plain(transition), previous=previous, sensors=plain(list(sensors)), opinions=plain(list(opinions)))
    if answer.get("contradiction"):
        return Deliberated(np.asarray(answer["fallback"], dtype=np.float64), True, {})
    return Deliberated(np.asarray(answer["posterior"], dtype=np.float64), False, answer["contributions"])
