"""Trains a learner from another library against our characters, and lets it play in a tournament.

    pip install repertoire[envs] stable-baselines3
    python train_ppo.py --steps 1000000

Two minutes on two processors, after which it beats the bot of level 1 that it began by losing to 20 to 1. The vector environment is ours, in Rust; Stable-Baselines3 wants its own interface for many
environments, which `Stable` below is.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import repertoire as rp
import torch
from repertoire import envs
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv


class Stable(VecEnv):
    """Our matches as Stable-Baselines3 takes them."""

    def __init__(self, matches: envs.ArenaVectorEnv) -> None:
        self.matches = matches
        self.returns, self.lengths = np.zeros(matches.num_envs), np.zeros(matches.num_envs, int)
        self.actions: np.ndarray | None = None
        super().__init__(matches.num_envs, matches.single_observation_space, matches.single_action_space)

    def reset(self) -> np.ndarray:
        seeds = self._seeds if self._seeds and self._seeds[0] is not None else None
        return self.matches.reset(seed=seeds)[0]

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        seen, rewards, won, over, told = self.matches.step(self.actions)
        self.returns += rewards
        self.lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(won | over):
            infos[index] = {
                "terminal_observation": told["final_obs"][index],
                "TimeLimit.truncated": bool(over[index]),
                "episode": {"r": float(self.returns[index]), "l": int(self.lengths[index]), "t": 0.0},
            }
            self.returns[index], self.lengths[index] = 0.0, 0
        return seen, rewards.astype(np.float32), won | over, infos

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.matches, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.matches, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return [getattr(self.matches, method_name)(*args, **kwargs)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


def main() -> None:
    read = argparse.ArgumentParser(description="PPO against shipped characters")
    read.add_argument("--steps", type=int, default=1_000_000, help="decisions to learn from")
    read.add_argument("--opponent", default="native:1", help="whom to learn against")
    read.add_argument("--matches", type=int, default=4, help="matches of the tournament")
    asked = read.parse_args()
    # Frags are rare at first, so hits and items lead to them; if deaths cost as much as they do by default, it learns to hide.
    rewards = envs.Rewards(frag=1.0, death=-0.05, damage=0.05, item=0.2)
    matches = envs.ArenaVectorEnv(64, [asked.opponent], "yard", seconds=60.0, frags=20, rewards=rewards)
    model = PPO(
        "MlpPolicy", Stable(matches), n_steps=128, batch_size=2048, n_epochs=6, gamma=0.97, learning_rate=5e-4,
        ent_coef=0.0, seed=1, device="cpu", policy_kwargs={"log_std_init": -1.0},
    )  # fmt: skip

    def frags() -> dict[str, float]:
        """How the policy does in our own tournament, which asks it as it would ask any character."""
        contenders = [("ppo", envs.policy_of(model)), asked.opponent]
        report = rp.tournament(contenders, ["yard"], matches=asked.matches, frags=20, time_limit=600)
        return {one["name"]: round(one["frags"], 1) for one in report.standings}

    print("before learning, frags per match:", frags())
    # The network is small: more threads than one would mostly wait for each other.
    torch.set_num_threads(1)
    for tenth in range(10):
        model.learn(asked.steps // 10, reset_num_timesteps=tenth == 0)
        lately = [one["r"] for one in model.ep_info_buffer]
        print(f"{model.num_timesteps:>9,} steps, reward per episode lately {np.mean(lately):.2f}", flush=True)
    print("after learning, frags per match:", frags())


if __name__ == "__main__":
    main()
