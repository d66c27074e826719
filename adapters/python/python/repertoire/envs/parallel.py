"""Every character is an agent: the arena for PettingZoo."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from pettingzoo import ParallelEnv

from ..errors import RepertoireError
from .batch import ACTED, Batch
from .rewards import Rewards
from .single import action_space, observation_space

Array = npt.NDArray[np.float32]


class ArenaParallelEnv(ParallelEnv):  # type: ignore[misc]
    """``num_agents`` bodies in one match, all moved from here; ``opponents`` may join them."""

    metadata = {"name": "repertoire_arena_v0", "render_modes": [], "is_parallelizable": True}

    def __init__(
        self,
        agents: int = 4,
        opponents: Sequence[str] = (),
        map: str = "yard",
        seconds: float = 60.0,
        frags: int = 10,
        rewards: Rewards | Sequence[float] = Rewards(),
        render_mode: str | None = None,
    ) -> None:
        self.possible_agents = [f"agent_{number}" for number in range(agents)]
        self.agents: list[str] = []
        self.render_mode = render_mode
        self._batch = Batch(1, agents, opponents, map, seconds, frags, rewards)
        self._observation_spaces = {name: observation_space() for name in self.possible_agents}
        self._action_spaces = {name: action_space() for name in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent does."""
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, dict[str, Any]]]:
        """Begins a match; the same seed begins the same one."""
        self._batch.reset(None if seed is None else [seed])
        self.agents = list(self.possible_agents)
        return self._seen(), {name: {} for name in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Array], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One decision of everybody. Agents that are given no action stand still."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        unknown = [name for name in actions if name not in self._action_spaces]
        if unknown:
            raise RepertoireError(f"there is no agent {unknown[0]!r}", remedy=f"there are {', '.join(self.possible_agents)}")
        given = np.zeros((1, len(self.possible_agents), ACTED), np.float32)
        for number, name in enumerate(self.possible_agents):
            if name in actions:
                action = np.asarray(actions[name], dtype=np.float32)
                if action.shape != (ACTED,):
                    raise RepertoireError(f"the action of {name} has the shape {action.shape}", remedy=f"({ACTED},)")
                given[0, number] = action
        batch = self._batch
        batch.step(given, False)
        seen, names = self._seen(), self.agents
        rewards = {name: float(batch.rewards[0, number]) for number, name in enumerate(names)}
        won, over = bool(batch.terminated[0]), bool(batch.truncated[0])
        if won or over:
            self.agents = []
        ended = ({name: won for name in names}, {name: over for name in names})
        return seen, rewards, *ended, {name: {} for name in names}

    def _seen(self) -> dict[str, Array]:
        return {name: self._batch.observations[0, number].copy() for number, name in enumerate(self.possible_agents)}
