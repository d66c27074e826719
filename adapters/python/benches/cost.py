"""What crossing the border costs: the same work through Python and without it, in turns, in one run.

``python benches/cost.py`` needs a wheel built with ``--release``; ``--quick`` is small, for the tests.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Callable

import numpy as np
import repertoire as rp
from repertoire import _native

VILLAGE = Path(__file__).parents[2] / "c" / "tests" / "village.toml"


def ns(work: Callable[[], object]) -> int:
    start = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - start


def in_turns(what: str, count: int, python: Callable[[int], int], rust: Callable[[], int], rounds: int) -> float:
    """The least of both, taken in turns, and their ratio: on a busy machine the least says most."""
    ours, theirs = [], []
    for turn in range(rounds):
        ours.append(python(turn))
        theirs.append(rust())
    ratio = min(ours) / min(theirs)
    each = [min(times) / count for times in (ours, theirs)]
    print(f"{what:36} {each[0]:9.1f} {each[1]:9.1f} ns each, through Python and without: {ratio:.2f} times")
    return ratio


def decisions(count: int, rounds: int) -> float:
    prudent = rp.Behaviour.load("prudent")
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, len(values), count).astype(np.uint8) for values in prudent.sensors.values()]
    tasks = rng.integers(0, len(prudent.tasks), count).astype(np.uint8)
    named = dict(zip(prudent.sensors, columns))
    lists = [column.tolist() for column in columns]

    def rust() -> int:
        return min(_native.cost_of_decisions("prudent", lists, tasks.tolist(), 20))

    def python(turn: int) -> int:
        return min(ns(lambda: prudent.decide_all(named, tasks, 0, turn)) for _ in range(20))

    return in_turns(f"{count} decisions of a behaviour", count, python, rust, rounds)


def characters(count: int, rounds: int) -> float:
    village = rp.Design.load(VILLAGE)
    wolf = np.zeros(count, np.uint8)
    tasks, targets = np.zeros(count, np.uint8), np.zeros(count, np.int64)

    # Both begin anew in each round and leave out the first ticks, which are not like the others.
    def rust() -> int:
        return min(_native.cost_of_population(village, count, [wolf.tolist()], 15)[5:])

    def python(_: int) -> int:
        population = rp.Population(village, count)
        times = [ns(lambda: population.tick({"wolf": wolf}, None, tasks, targets)) for _ in range(15)]
        return min(times[5:])

    return in_turns(f"{count} characters with plans", count, python, rust, rounds)


def arena(matches: int, steps: int) -> None:
    from repertoire import envs

    for opponents in (["native:3"], ["native:3", "native:5", "native:1"]):
        many = envs.ArenaVectorEnv(matches, opponents, copy=False)
        many.reset(seed=1)
        actions = np.random.default_rng(1).uniform(-1, 1, (matches, 7)).astype(np.float32)
        taken = ns(lambda: [many.step(actions) for _ in range(steps)])
        # A match with as many native bots, ticked in Rust on one processor.
        game = rp.Match(["native:3", *opponents], "yard")
        alone = ns(lambda: game.tick(steps * 4))
        each, rust = steps * matches / taken * 1e9, steps * 4 / alone * 1e9
        print(f"arena against {len(opponents)}: {each:,.0f} steps a second; a match of native bots in Rust on one core: {rust:,.0f}")


def main(quick: bool) -> None:
    count, rounds = (2_000, 2) if quick else (100_000, 7)
    decisions(count, rounds)
    characters(count, rounds)
    arena(16 if quick else 256, 20 if quick else 400)


if __name__ == "__main__":
    main("--quick" in sys.argv)
