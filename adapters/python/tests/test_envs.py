"""The environments pass the tests of the projects they are for, and repeat from their seeds."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import repertoire as rp
from repertoire import envs


def test_gymnasiums_own_checks_pass() -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("repertoire/Arena-v0", opponents=["native:1"], seconds=3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


def test_pettingzoos_own_api_and_seed_tests_pass() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    def make() -> object:
        return envs.parallel_env(agents=3, opponents=["native:1"], seconds=2.0)

    parallel_api_test(make(), num_cycles=300)
    parallel_seed_test(make, num_cycles=100)


def test_the_same_seed_gives_the_same_episode_and_another_seed_another() -> None:
    def played(seed: int) -> np.ndarray:
        env = envs.ArenaEnv(["native:5"], seconds=5.0)
        seen = [env.reset(seed=seed)[0]]
        rng = np.random.default_rng(7)
        for _ in range(50):
            seen.append(env.step(rng.uniform(-1, 1, 7).astype(np.float32))[0])
        return np.array(seen)

    assert np.array_equal(played(1), played(1)) and not np.array_equal(played(1), played(2))


def test_a_vector_of_matches_plays_as_the_matches_do_one_by_one() -> None:
    rng = np.random.default_rng(3)
    actions = rng.uniform(-1, 1, (80, 5, 7)).astype(np.float32)
    many = envs.ArenaVectorEnv(5, ["native:3"], seconds=4.0)
    seen, _ = many.reset(seed=10)
    singles = [envs.ArenaEnv(["native:3"], seconds=4.0) for _ in range(5)]
    alone = np.array([env.reset(seed=10 + number)[0] for number, env in enumerate(singles)])
    assert np.array_equal(seen, alone) and many.observation_space.contains(seen)
    for step in actions:
        seen, rewards, won, over, info = many.step(step)
        for number, env in enumerate(singles):
            one, reward, terminated, truncated, told = env.step(step[number])
            assert (reward, terminated, truncated) == (rewards[number], won[number], over[number])
            if terminated or truncated:
                assert np.array_equal(info["final_obs"][number], one) and "frags" in told
                one = env.reset()[0]
            assert np.array_equal(one, seen[number])


def test_gymnasium_makes_the_vector_environment_in_rust() -> None:
    many = gymnasium.make_vec("repertoire/Arena-v0", num_envs=3, vectorization_mode="vector_entry_point")
    seen, _ = many.reset(seed=1)
    assert seen.shape == (3, len(rp.OBSERVATION_NAMES)) and isinstance(many.unwrapped, envs.ArenaVectorEnv)


def test_observations_show_what_their_names_say() -> None:
    env = envs.ArenaEnv(["native:0"], seconds=60.0)
    at = rp.OBSERVATION_NAMES.index
    seen, _ = env.reset(seed=2)
    assert seen[at("alive")] == 1 and seen[at("health")] == 1 and seen[at("holds_weak")] == 1
    forward = np.array([0, 0, 1, 0, 0, -1, -1], np.float32)
    for _ in range(5):
        seen, *_ = env.step(forward)
    assert seen[at("forward_speed")] > 0.1 or seen[at("wall_0_deg")] < 0.05
    assert np.all(np.abs(seen) <= 10)


def test_frags_and_hits_are_rewarded() -> None:
    at = rp.OBSERVATION_NAMES.index
    env = envs.ArenaEnv(["native:0"], seconds=300.0, frags=3, rewards=envs.Rewards(1.0, 0.0, 0.0, 0.0))
    seen, _ = env.reset(seed=1)
    total = 0.0
    for _ in range(3000):
        is_seen = seen[at("other_0_seen")]
        turn = 2 * seen[at("other_0_yaw")] if is_seen else 0.4
        action = [turn, 4 * seen[at("other_0_pitch")] if is_seen else 0, 0.5, 0.3, 0, 1 if is_seen else -1, 0]
        seen, reward, won, over, info = env.step(np.array(action, np.float32))
        total += reward
        if won or over:
            break
    assert total == info["frags"]["agent_0"] and total > 0
