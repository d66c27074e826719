"""Calls everything with anything: what is wrong must be an exception of the kinds below, never a panic and never a crash.

``python tests/fuzz.py CALLS SEED`` prints how many calls were accepted and refused, for each thing that was called.
"""

from __future__ import annotations

import collections
import functools
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np
import repertoire as rp
from repertoire import datasets, envs
from repertoire.door import plain

ALLOWED = (rp.RepertoireError, ImportError, TypeError, ValueError, OverflowError, KeyError, IndexError, AttributeError, OSError, RecursionError)
VILLAGE = (Path(__file__).parents[2] / "c" / "tests" / "village.toml").read_text()
ROOMS = ([0, 1, 0], [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]], [[0.5, 0.5], [1], [0.5, 0.5]])
COUNT = 6


def deep(levels: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(levels):
        nested = [nested]
    return nested


def anything(rng: random.Random) -> Any:
    number = rng.choice([0, 1, 2, 3, COUNT, 7, 58])
    other = rng.choice([0, 1, 3, COUNT, 7, 58])
    dtype = rng.choice(["u1", "u2", "u8", "i8", "f4", "f8", "O", "U3", "?", "c16", ">f8", "M8[s]"])

    def array(*shape: int) -> np.ndarray:
        made = np.zeros(shape, dtype)
        if dtype in ("f4", "f8") and made.size and rng.random() < 0.5:
            made.flat[rng.randrange(made.size)] = rng.choice([np.nan, np.inf, -np.inf, -1, 1, 0.5, 1e308])
        if dtype in ("u1", "u2") and made.size and rng.random() < 0.5:
            made.flat[rng.randrange(made.size)] = rng.choice([1, 2, 200, 255])
        return made

    def fixed() -> np.ndarray:
        made = array(number)
        made.flags.writeable = False
        return made

    makers: list[Callable[[], Any]] = [
        lambda: None,
        lambda: rng.choice([-1, 0, 1, 2, 3, 5, 255, 256, 2**31, 2**32, 2**63, 2**64, -(2**63)]),
        lambda: rng.choice([0.0, 0.5, 1.0, -1.0, float("nan"), float("inf"), 1e300, 5e-324]),
        lambda: rng.choice(["", "wolf", "near", "away", "hunger", "inn", "purse", "full", "glutton", "x\0y", "ä" * 300, "yard", "native:3"]),
        lambda: rng.choice([b"", b"{}", b"\xff\x00", b'{"format":2,"design":"villager"}', b'{"format":1,"design":"villager","state":{}}']),
        lambda: array(number),
        lambda: array(number, other),
        lambda: array(number, other)[::2],
        lambda: array(number, 1, rng.choice([7, 58])),
        lambda: array(number * 2)[::2],
        lambda: array(number)[::-1],
        fixed,
        lambda: np.array(0.5),
        lambda: [anything(rng) for _ in range(rng.randrange(4))],
        lambda: {rng.choice(["wolf", "purse", "hunger", "x", 3]): anything(rng) for _ in range(rng.randrange(3))},
        lambda: (anything(rng), anything(rng)),
        lambda: deep(rng.choice([1, 5, 200, 5000])),
        lambda: lambda *_: 1 / 0,
        lambda: object(),
        lambda: rng.choice([True, False]),
        lambda: rng.choice([VILLAGE, "tasks = 3", "name = 'x'\ntasks = []", "[" * 300, "a,b\n1,2\n"]),
    ]
    return rng.choice(makers)()


def things() -> dict[str, Callable[[], Any]]:
    design = rp.Design(VILLAGE)
    dynamics = rp.Dynamics(*ROOMS)
    begun = rp.Filters(dynamics, COUNT)
    begun.begin(np.ones((COUNT, 3)))
    batch = envs.batch.Batch(COUNT, 1, ["native:0"], "yard", 5.0, 2, envs.Rewards())
    batch.reset(None)
    game = rp.Match(["native:0", "native:1"], "yard")
    parallel = envs.parallel_env(agents=2, seconds=3.0)
    parallel.reset()
    vector = envs.ArenaVectorEnv(COUNT, ["native:0"], seconds=3.0)
    vector.reset()
    mind = rp.Mind(design)
    population = rp.Population(design, COUNT)
    return {
        "Design": lambda: design,
        "Mind": lambda: mind,
        "Population": lambda: population,
        "Behaviour": functools.cache(lambda: rp.Behaviour.load("prudent")),
        "Dynamics": lambda: dynamics,
        "Filter": lambda: rp.Filter(dynamics),
        "Filters": lambda: begun,
        "Match": lambda: game,
        "VectorArena": lambda: batch.arena,
        "Batch": lambda: batch,
        "ParallelEnv": lambda: parallel,
        "VectorEnv": lambda: vector,
        "Program": lambda: rp.Program({"a": 2}, [rp.Factor(["a"], [0.5, 0.5])]),
        "HiddenMarkov": lambda: rp.HiddenMarkov([1.0], [[1.0]], [[[0.5, 0.5]]]),
        "Planner": lambda: rp.Planner([2], [rp.Action(0, 0, 1)]),
        "Tracker": lambda: rp.Tracker(*ROOMS),
        "Rooms": functools.cache(lambda: rp.Rooms("6.1.2-left")),
        "Session": lambda: rp._native.Session("fusion"),
    }


#: Would run for long, or are not about input.
LEFT_OUT = {"close", "render", "tick_all", "run", "unwrapped", "np_random", "np_random_seed", "state", "aec_env", "action_space", "observation_space"}


def calls(folder: str) -> list[tuple[str, Callable[..., Any]]]:
    made: list[tuple[str, Callable[..., Any]]] = []
    for name, make in things().items():
        for method in dir(make()):
            if not method.startswith("_") and method not in LEFT_OUT and callable(getattr(make(), method, None)):
                made.append((f"{name}.{method}", lambda *given, make=make, method=method: getattr(make(), method)(*given)))
    for function in (
        rp.Design, rp.Mind, rp.Population, rp.Behaviour, rp.Dynamics, rp.Filter, rp.Filters, rp.filter_all, rp.Program, rp.fuse, rp.laplace,
        rp.deliberate, rp.Planner, rp.Town, rp.Tracker, rp.growing_gas, rp.earth_movers_distance, rp.motivation, rp.Rooms, rp.Chameleon,
        rp.HiddenMarkov, rp.Door, rp.replay, rp.signature, rp.Match, datasets.clone, datasets.lives, datasets.from_minari,
        rp._native.VectorArena, plain,
    ):  # fmt: skip
        made.append((function.__name__, function))
    for door in rp.doors():
        made.append((f"Door({door['name']})", lambda *given, name=door["name"], **more: rp.Door(name).ask(*given, **more)))
    made += [("tournament", functools.partial(short, rp.tournament, {"maps": ["yard"], "matches": 1, "frags": 1, "time_limit": 1.0}))]
    made += [("record", functools.partial(recorded, folder))]
    return made


def nearly_right(rng: random.Random) -> dict[str, list[Any]]:
    """What each call takes, to be changed in one place."""
    ones, column = np.ones((COUNT, 3)), np.zeros(COUNT, np.uint8)
    seven, seen = np.zeros((COUNT, 1, 7), np.float32), np.zeros((COUNT, 1, 58), np.float32)
    return {
        "Mind.see": ["wolf", "near"],
        "Mind.believe": ["wolf", [0.5, 0.5]],
        "Mind.fact": ["purse", "full"],
        "Mind.offer": ["inn", 1, 2.0],
        "Mind.ease": ["hunger", 0.1],
        "Mind.set_need": ["hunger", 0.1],
        "Mind.sense": [{"wolf": rng.choice(["near", [0.5, 0.5], None])}],
        "Mind.tick": [np.array([1])],
        "Population.tick": [{"wolf": column}, {"purse": column.copy()}, column.copy(), np.zeros(COUNT, np.int64)],
        "Population.offer": ["inn", np.zeros(COUNT, np.uint64), np.ones(COUNT)],
        "Population.believe": ["wolf", np.full((COUNT, 2), 0.5)],
        "Population.need": ["hunger"],
        "Population.ease": ["hunger", np.zeros(COUNT)],
        "Population.report": [3],
        "Behaviour.decide": ["attack", {"health": "low"}],
        "Behaviour.decide_all": [np.zeros((7, COUNT), np.uint8), column, 1, 2, 3],
        "Filter.begin": [[1, 1, 1]],
        "Filters.begin": [ones, ones.copy()],
        "Filters.step": [ones, ones.copy()],
        "filter_all": [rp.Dynamics(*ROOMS), ones],
        "Dynamics": [list(part) for part in ROOMS],
        "Match.why": [1],
        "Match.tick": [2],
        "VectorArena.reset": [[1] * COUNT, seen],
        "VectorArena.step": [seven, seen, np.zeros((COUNT, 1)), column, column.copy(), seen.copy(), True],
        "VectorArena.frags": [0],
        "VectorEnv.step": [seven[:, 0]],
        "ParallelEnv.step": [{"agent_0": seven[0, 0]}],
        "Program": [{"a": 2}, [rp.Factor(["a"], [0.5, 0.5])]],
        "Program.ask": [["a"], {}],
        "HiddenMarkov": [[1.0], [[1.0]], [[[0.5, 0.5]]]],
        "HiddenMarkov.learn": [[[[0], [1]]], 2],
        "Planner.solve": [[0], [1]],
        "Tracker": [list(part) for part in ROOMS],
        "Tracker.look_back": [ones],
        "Tracker.crowd": [2, ones * 0.5, np.zeros((COUNT, 3), int)],
        "fuse": [[[0.5, 0.5]], ["prescriptive"]],
        "laplace": [[1, 2]],
        "earth_movers_distance": [[1, 0], [0, 1]],
        "growing_gas": [[[0, 0, 0], [1, 1, 1]]],
        "deliberate": [[[1.0]], 0],
        "Population": [rp.Design(VILLAGE), 5, 1, 2],
        "Mind": [rp.Design(VILLAGE), 1, 2, "glutton"],
        "Filters": [rp.Dynamics(*ROOMS), 4],
    }


def short(function: Callable[..., Any], usual: dict[str, Any], *given: Any) -> Any:
    """A call whose numbers stay small, whatever else it is given."""
    rng = random.Random(len(given))
    contenders = given[0] if given else ["native:0", "native:1"]
    wrong = rng.choice([-1, 0, float("nan"), "x", None, 2**40, [], -5.0])
    return function(contenders, **{**usual, rng.choice(list(usual)): wrong})


def recorded(folder: str, *given: Any) -> Any:
    usual: dict[str, Any] = {"map": "yard", "seconds": 1.0}
    path = given[1] if len(given) > 1 and isinstance(given[1], (int, type(None), bytes)) else f"{folder}/match.parquet"
    return rp.record(path, given[0] if given else ["native:0"], **usual)


def main(count: int, seed: int) -> int:
    rng = random.Random(seed)
    told: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        everything = calls(folder)
        for _ in range(count):
            name, function = rng.choice(everything)
            # Match.tick(2**31) is no mistake, and would go on for days.
            given = [anything(rng) for _ in range(rng.randrange(5))]
            right = nearly_right(rng) if rng.random() < 0.7 else {}
            if name in right:
                given = right[name]
                if rng.random() < 0.8:
                    given[rng.randrange(len(given))] = anything(rng)
            if name == "Match.tick":
                given = [one for one in given if not isinstance(one, int) or one < 300 or one >= 2**32]
            try:
                function(*given)
                told[name]["accepted"] += 1
            except ALLOWED as error:
                told[name]["refused"] += 1
                if "defect" in str(error):
                    print(f"{name}{given}: {error}")
                    return 1
            except ZeroDivisionError:
                told[name]["refused"] += 1  # what the function in `anything` raises
            except BaseException as error:  # a panic is none of `Exception`
                print(f"{name}{given}: {type(error).__name__}: {error}")
                return 1
    for name in sorted(told):
        print(f"{name:32} accepted {told[name]['accepted']:6} refused {told[name]['refused']:6}")
    accepted = sum(counter["accepted"] for counter in told.values())
    print(f"{count} calls of {len(told)} things: {accepted} accepted, {count - accepted} refused, no panic")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
