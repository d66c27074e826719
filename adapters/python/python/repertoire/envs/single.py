"""One agent against shipped characters, as a Gymnasium environment."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import gymnasium
import numpy as np
import numpy.typing as npt

from .batch import ACTED, OBSERVED, Batch
from .rewards import Rewards

Observation = npt.NDArray[np.float32]
Action = npt.NDArray[np.float32]

#: Numbers of an observation are about -1 to 1; speeds and a rare few lie beyond.
BOUND = 10.0


def observation_space() -> gymnasium.spaces.Box:
    """What an agent sees."""
    return gymnasium.spaces.Box(-BOUND, BOUND, (OBSERVED,), np.float32)


def action_space() -> gymnasium.spaces.Box:
    """What an agent does."""
    return gymnasium.spaces.Box(-1.0, 1.0, (ACTED,), np.float32)


class ArenaEnv(gymnasium.Env[Observation, Action]):  # type: ignore[misc]
    """One agent in the arena.

    An episode is won (terminated) when somebody has ``frags``, and truncated after ``seconds`` of the game. Who dies comes back to
    life after a while; until then observations are 0 and actions do nothing.
    """

    metadata: dict[str, Any] = {"render_modes": [], "render_fps": 10}

    def __init__(
        self,
        opponents: Sequence[str] = ("native:3",),
        map: str = "yard",
        seconds: float = 60.0,
        frags: int = 10,
        rewards: Rewards | Sequence[float] = Rewards(),
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError("there is nothing to render: record a match and use `repertoire arena watch`")
        self.render_mode = None
        self.observation_space, self.action_space = observation_space(), action_space()
        self._batch = Batch(1, 1, opponents, map, seconds, frags, rewards)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins a match; the same seed begins the same one."""
        super().reset(seed=seed)
        self._batch.reset(None if seed is None else [seed])
        return self._batch.observations[0, 0].copy(), {}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One decision of everybody."""
        batch = self._batch
        batch.step(np.reshape(np.asarray(action, dtype=np.float32), (1, 1, -1)), False)
        info = {"frags": dict(batch.arena.frags(0))} if batch.terminated[0] or batch.truncated[0] else {}
        return (
            batch.observations[0, 0].copy(),
            float(batch.rewards[0, 0]),
            bool(batch.terminated[0]),
            bool(batch.truncated[0]),
            info,
        )


def policy_of(model: Any, deterministic: bool = True) -> Callable[[Observation], Any]:
    """The policy of a trained model with a method ``predict`` (Stable-Baselines3 and its likes), as tournaments take it."""

    def policy(observation: Observation) -> Any:
        return model.predict(observation, deterministic=deterministic)[0]

    return policy


def register() -> None:
    """Makes ``gymnasium.make("repertoire/Arena-v0")`` work."""
    name = "repertoire/Arena-v0"
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="repertoire.envs.single:ArenaEnv",
            vector_entry_point="repertoire.envs.vector:ArenaVectorEnv",
        )
