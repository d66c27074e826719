"""Several opponents at once, and looking back: what the filters of one opponent do not answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .door import Door, plain

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LookedBack:
    """Where one opponent was, with all observations known: marginals, and the most probable way."""

    posterior: Array
    smoothed: Array
    path: list[int]
    log_evidence: Array


@dataclass(frozen=True)
class Crowd:
    """How many opponents are expected in each place at each step, and how probable at least one is."""

    expected_count: Array
    p_at_least_one: Array
    approximate: bool


class Tracker:
    """How opponents move: ``initial[place]``, ``transition[from, to]``, and for each place the chances of stays of 1, 2, ... steps."""

    def __init__(self, initial: Any, transition: Any, stays: Any) -> None:
        self._door = Door("belief", mu=plain(initial), transition=plain(transition), duration=plain(stays))

    def look_back(self, likelihood: Any) -> LookedBack:
        """From likelihoods ``[step, place]``."""
        answer = self._door.ask(likelihood=plain(likelihood), look_back=True)
        told = {key: np.asarray(answer[key], dtype=np.float64) for key in ("posterior", "smoothed", "log_evidence")}
        return LookedBack(told["posterior"], told["smoothed"], list(answer["path"]), told["log_evidence"])

    def crowd(self, opponents: int, visible: Any, seen_counts: Any) -> Crowd:
        """From what share of each place was in view, and how many were seen there, ``[step, place]``."""
        answer = self._door.ask(opponents=opponents, visible=plain(visible), seen_counts=plain(seen_counts))
        return Crowd(
            np.asarray(answer["expected_count"], dtype=np.float64),
            np.asarray(answer["p_at_least_one"], dtype=np.float64),
            bool(answer.get("approximate", False)),
        )
