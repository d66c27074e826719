"""Matches stepped together, and the arrays that the native half fills."""

from __future__ import annotations

from typing import Sequence

import numpy as np
import numpy.typing as npt

from .. import _native
from ..errors import RepertoireError
from .rewards import Rewards

OBSERVED = len(_native.OBSERVATION_NAMES)
ACTED = len(_native.ACTION_NAMES)


class Batch:
    """``count`` matches with ``agents`` bodies each that are moved from here. The arrays are filled anew at every step."""

    def __init__(
        self,
        count: int,
        agents: int,
        opponents: Sequence[str],
        map: str,
        seconds: float,
        frags: int,
        rewards: Rewards | Sequence[float],
    ) -> None:
        worth = Rewards(*rewards)
        self.arena = _native.VectorArena(
            count, agents, list(opponents), map, float(seconds), frags, (worth.frag, worth.death, worth.damage, worth.item)
        )
        self.observations: npt.NDArray[np.float32] = np.zeros((count, agents, OBSERVED), np.float32)
        self.final_observations = np.zeros_like(self.observations)
        self.rewards: npt.NDArray[np.float64] = np.zeros((count, agents))
        self._won: npt.NDArray[np.uint8] = np.zeros(count, np.uint8)
        self._over: npt.NDArray[np.uint8] = np.zeros(count, np.uint8)

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Which matches were won."""
        return self._won.view(np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which matches ended because their time was over."""
        return self._over.view(np.bool_)

    def reset(self, seeds: Sequence[int] | None) -> None:
        """Begins all matches, with these seeds or with the next ones of those before."""
        self.arena.reset(None if seeds is None else [int(seed) % (1 << 64) for seed in seeds], self.observations)

    def step(self, actions: npt.ArrayLike, begins_anew: bool) -> None:
        """One decision in every match."""
        try:
            given = np.ascontiguousarray(actions, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise RepertoireError(f"the actions are no array of numbers: {error}") from error
        self.arena.step(
            given, self.observations, self.rewards, self._won, self._over, self.final_observations, begins_anew
        )
