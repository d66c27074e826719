"""The arena as an environment for learners from elsewhere.

| what                      | for                                                                |
|---------------------------|--------------------------------------------------------------------|
| :class:`ArenaEnv`         | Gymnasium: one agent against shipped characters                    |
| :class:`ArenaVectorEnv`   | Gymnasium's vector API: many such matches at once, stepped in Rust |
| :func:`parallel_env`      | PettingZoo's parallel API: every character is an agent             |
| :func:`policy_of`         | a trained model as a contender of ``repertoire.tournament``        |

An observation is what the character itself perceives, as ``repertoire.OBSERVATION_NAMES`` lists it; nothing of the world's state
leaks into it. An action is seven numbers from -1 to 1, see ``repertoire.ACTION_NAMES``. A step is one decision, 0.1 s.

Importing this module registers ``repertoire/Arena-v0`` with Gymnasium.
"""

from __future__ import annotations

from .rewards import Rewards
from .single import ArenaEnv, policy_of, register
from .vector import ArenaVectorEnv

register()


def parallel_env(**options: object) -> object:
    """PettingZoo's parallel environment of the arena; see :class:`repertoire.envs.parallel.ArenaParallelEnv` for the options."""
    from .parallel import ArenaParallelEnv

    return ArenaParallelEnv(**options)  # type: ignore[arg-type]


__all__ = ["ArenaEnv", "ArenaVectorEnv", "Rewards", "parallel_env", "policy_of", "register"]
