"""The same seed gives the same bits as everywhere else: ``decisions.txt``."""

import struct
from typing import Callable, Iterator

import numpy as np
import repertoire as rp
from conftest import VILLAGE

GOLDEN = [line for line in (VILLAGE / "decisions.txt").read_text().splitlines() if not line.startswith("#")]
SEEDS, AGENTS, TICKS = (1, 2), range(5), range(120)


def line(seed: int, agent: int, tick: int, task: str, target: int | None, hunger: float) -> str:
    bits = struct.pack(">d", hunger).hex()
    return f"{seed} {agent} {tick} {task} {'-' if target is None else target} {bits}"


def wolf(tick: int) -> str | list[float] | None:
    t = tick % 40
    return "near" if t < 6 else [0.5, 0.5] if t < 10 else None if t >= 38 else "away"


def inns(agent: int, tick: int) -> list[tuple[int, float]]:
    return [(1, 10.0 + agent), (2, 14.0 - tick % 8)]


def after(task: str, full: bool) -> tuple[bool, bool]:
    """Whether the purse is full then, and whether it has eaten."""
    eaten = task == "eat" and full
    return task == "work" or (full and not eaten), eaten


def lives(village: rp.Design, between: Callable[[rp.Mind], rp.Mind]) -> Iterator[str]:
    for seed in SEEDS:
        for agent in AGENTS:
            mind, full = rp.Mind(village, seed, agent), False
            for tick in TICKS:
                mind.clear()
                mind.sense({"wolf": wolf(tick)})
                mind.fact("purse", "full" if full else "empty")
                mind.fact("meal", "had" if mind.needs["hunger"] < 0.1 else "due")
                for thing, distance in inns(agent, tick):
                    mind.offer("inn", thing, distance)
                mind = between(mind)
                deed = mind.tick()
                yield line(seed, agent, tick, deed.task, deed.target, mind.needs["hunger"])
                full, eaten = after(deed.task, full)
                if eaten:
                    mind.ease("hunger", 0.5)


def test_minds_decide_as_written(village: rp.Design) -> None:
    assert list(lives(village, lambda mind: mind)) == GOLDEN


def test_minds_that_are_saved_and_restored_at_every_tick_decide_as_written(village: rp.Design) -> None:
    def again(mind: rp.Mind) -> rp.Mind:
        other = rp.Mind(village)
        other.restore(mind.save())
        return other

    assert list(lives(village, again)) == GOLDEN


def test_a_population_with_columns_decides_as_written(village: rp.Design) -> None:
    lines: dict[int, list[str]] = {seed: [""] * (len(AGENTS) * len(TICKS)) for seed in SEEDS}
    for seed in SEEDS:
        population = rp.Population(village, len(AGENTS), seed)
        full = np.zeros(len(AGENTS), bool)
        for tick in TICKS:
            population.clear()
            meal = (population.need("hunger") < 0.1).astype(np.uint8)
            for number in range(2):
                things = np.array([inns(agent, tick)[number] for agent in AGENTS])
                population.offer("inn", things[:, 0].astype(np.uint64), np.ascontiguousarray(things[:, 1]))
            readings = {}
            sensed = wolf(tick)
            if isinstance(sensed, list):
                population.believe("wolf", np.array([sensed] * len(AGENTS)))
            else:
                value = {"away": 0, "near": 1, None: 255}[sensed]
                readings["wolf"] = np.full(len(AGENTS), value, np.uint8)
            tasks, targets = population.tick(readings, {"purse": full.astype(np.uint8), "meal": meal.astype(np.uint16)})
            hunger = population.need("hunger")
            eased = np.zeros(len(AGENTS))
            for agent in AGENTS:
                task, target = village.tasks[tasks[agent]], int(targets[agent])
                told = line(seed, agent, tick, task, None if target < 0 else target, hunger[agent])
                lines[seed][agent * len(TICKS) + tick] = told
                full[agent], eaten = after(task, bool(full[agent]))
                eased[agent] = 0.5 if eaten else 0.0
            if eased.any():
                population.ease("hunger", eased)
    assert lines[1] + lines[2] == GOLDEN


def test_the_door_of_the_command_line_decides_as_written(village: rp.Design) -> None:
    door = rp.Door("character", character=(VILLAGE / "village.toml").read_text())
    for seed, agent in [(1, 0), (2, 4)]:
        state, full, hunger, told = None, False, 0.2, []
        eased: dict[str, float] = {}
        for tick in TICKS:
            seen = wolf(tick)
            question = {
                "seed": seed,
                "agent": agent,
                "state": state,
                "sensors": {} if seen is None else {"wolf": seen},
                "facts": {"purse": "full" if full else "empty", "meal": "had" if hunger < 0.1 else "due"},
                "offers": [{"kind": "inn", "thing": thing, "distance": far} for thing, far in inns(agent, tick)],
            }
            if eased:
                question["eased"] = eased
            answer = door.ask(question)
            state, report = answer["state"], answer["report"]
            hunger = next(one["felt"] for one in report["wants"] if one["need"] == "hunger")
            told.append(line(seed, agent, tick, answer["task"], answer.get("target"), hunger))
            full, eaten = after(answer["task"], full)
            eased = {"hunger": 0.5} if eaten else {}
            if eaten:
                hunger = max(hunger - 0.5, 0.0)
        wanted = [one for one in GOLDEN if one.startswith(f"{seed} {agent} ")]
        assert told == wanted
