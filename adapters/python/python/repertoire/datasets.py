"""Play as Minari datasets, in and out, and a policy cloned from one.

Recordings of any character become datasets that other libraries learn from; datasets of the arena, whoever made them, become
episodes here, and a policy that can enter a tournament.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import RepertoireError
from .play import Path, Policy

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Episode:
    """One life: what was seen (one more than there are actions), what was done, and frags gained with each step."""

    observations: npt.NDArray[np.float32]
    actions: npt.NDArray[np.float32]
    rewards: npt.NDArray[np.float64]


def lives(recording: Path, player: str) -> list[Episode]:
    """The lives of one player of a recording, by name or number, as the environments would have seen them."""
    observations, actions, frags, numbers = _native.transitions(os.fspath(recording), player)
    episodes = []
    for life in np.unique(numbers):
        (at,) = np.nonzero(numbers == life)
        if len(at) > 1:
            gained = np.diff(frags[at]).astype(np.float64)
            episodes.append(Episode(observations[at], actions[at[:-1]], gained))
    return episodes


def to_minari(dataset_id: str, episodes: Sequence[Episode], **about: Any) -> Any:
    """Writes episodes as a local Minari dataset (``arena/native5-v0``), and gives it."""
    import minari
    from minari.data_collector.episode_buffer import EpisodeBuffer

    from .envs.single import action_space, observation_space

    if not episodes:
        raise RepertoireError("there are no episodes to write", remedy="give some, such as those of `lives`")
    buffers = []
    for number, episode in enumerate(episodes):
        steps = len(episode.actions)
        ends = [step + 1 == steps for step in range(steps)]
        buffers.append(
            EpisodeBuffer(
                id=number,
                observations=list(episode.observations),
                actions=list(episode.actions),
                rewards=[float(reward) for reward in episode.rewards],
                terminations=ends,
                truncations=[False] * steps,
            )
        )
    return minari.create_dataset_from_buffers(
        dataset_id, buffers, action_space=action_space(), observation_space=observation_space(), **about
    )


def from_minari(dataset: Any) -> list[Episode]:
    """The episodes of a Minari dataset of the arena: the dataset, or its name."""
    if isinstance(dataset, str):
        import minari

        dataset = minari.load_dataset(dataset)
    wanted = (len(_native.OBSERVATION_NAMES), len(_native.ACTION_NAMES))
    episodes = []
    for one in dataset.iterate_episodes():
        observations, actions = np.asarray(one.observations), np.asarray(one.actions)
        found = (observations.shape[-1] if observations.ndim == 2 else None, actions.shape[-1] if actions.ndim == 2 else None)
        if found != wanted:
            raise RepertoireError(
                f"an episode with observations {observations.shape} and actions {actions.shape} is not of the arena",
                remedy=f"rows of {wanted[0]} and {wanted[1]} numbers",
            )
        rewards = np.asarray(one.rewards, dtype=np.float64)
        episodes.append(Episode(observations.astype(np.float32), actions.astype(np.float32), rewards))
    return episodes


def clone(episodes: Sequence[Episode], ridge: float = 1e-3) -> Policy:
    """The linear policy that comes nearest to what was done (least squares): a first pupil, and a contender."""
    if not episodes:
        raise RepertoireError("there is nothing to clone", remedy="give episodes")
    if not (np.isfinite(ridge) and ridge >= 0):
        raise RepertoireError(f"a ridge of {ridge}", remedy="a number from 0 up")
    seen = np.concatenate([episode.observations[: len(episode.actions)] for episode in episodes]).astype(np.float64)
    done = np.concatenate([episode.actions for episode in episodes]).astype(np.float64)
    seen = np.hstack([seen, np.ones((len(seen), 1))])
    weights = np.linalg.solve(seen.T @ seen + ridge * len(seen) * np.eye(seen.shape[1]), seen.T @ done)

    def policy(observation: npt.NDArray[np.float32]) -> Array:
        return np.asarray(np.append(observation, 1.0) @ weights)

    return policy
