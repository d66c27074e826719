"""Many matches at once, stepped in Rust on all processors."""

from __future__ import annotations

from typing import Any, Sequence

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from ..errors import RepertoireError
from .batch import Batch
from .rewards import Rewards
from .single import action_space, observation_space

Array = npt.NDArray[Any]


class ArenaVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):  # type: ignore[misc]
    """``num_envs`` matches, each with one agent. A match that ends begins anew in the same step: what was seen last is
    ``info["final_obs"]``, as Gymnasium's ``SAME_STEP`` has it.

    With ``copy=False`` the arrays that ``step`` gives are the same at every step, and filled anew.
    """

    metadata: dict[str, Any] = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP, "render_modes": [], "render_fps": 10}

    def __init__(
        self,
        num_envs: int = 64,
        opponents: Sequence[str] = ("native:3",),
        map: str = "yard",
        seconds: float = 60.0,
        frags: int = 10,
        rewards: Rewards | Sequence[float] = Rewards(),
        copy: bool = True,
        render_mode: str | None = None,
        **_: Any,
    ) -> None:
        self.num_envs, self.render_mode = num_envs, render_mode
        self._copy = copy
        self._batch = Batch(num_envs, 1, opponents, map, seconds, frags, rewards)
        self.single_observation_space, self.single_action_space = observation_space(), action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begins all matches; with one seed, those of that seed and the numbers after it."""
        if seed is None:
            seeds = None
        elif isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + number for number in range(self.num_envs)]
        else:
            seeds = [int(one) for one in seed]
        self._batch.reset(seeds)
        return self._given(self._batch.observations[:, 0]), {}

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One decision of everybody in every match."""
        try:
            given = np.asarray(actions, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise RepertoireError(f"the actions are no array of numbers: {error}") from error
        if given.ndim != 2:
            raise RepertoireError(f"the actions have the shape {given.shape}", remedy="a row for each match")
        batch = self._batch
        batch.step(given[:, None, :], True)
        ended = batch.terminated | batch.truncated
        info: dict[str, Any] = {}
        if ended.any():
            final = np.full(self.num_envs, None, dtype=object)
            for index in np.flatnonzero(ended):
                final[index] = batch.final_observations[index, 0].copy()
            info = {"final_obs": final, "_final_obs": ended.copy(), "final_info": {}, "_final_info": ended.copy()}
        return (
            self._given(batch.observations[:, 0]),
            self._given(batch.rewards[:, 0]),
            self._given(batch.terminated),
            self._given(batch.truncated),
            info,
        )

    def _given(self, array: Array) -> Array:
        return array.copy() if self._copy else array
