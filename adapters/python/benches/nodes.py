"""How much faster two nodes of Ray are than one: a tournament and learning, in turns, with the same bits.

Run:
    python benches/nodes.py               # about a quarter of an hour on two free cores
    python benches/nodes.py --quick       # a minute or so, to see that it works; its figures say little

Every node has one CPU and is a raylet of its own (`ray.cluster_utils.Cluster`); the driver and the head have none. What starts once
(nodes, workers, imports) is done before the clock. Beside Ray the same pieces are done by one and by two plain processes, which is as
much as these two cores can give. "busy" is how many cores the whole machine kept busy meanwhile: on a quiet one it is little more than the
number of nodes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
# Ray starts its workers with a niceness of 15, so that on a busy machine they would wait for everybody else.
os.environ.setdefault("RAY_worker_niceness", "0")

import ray
import repertoire as rp
from ray.cluster_utils import Cluster
from repertoire import cluster


def warm(seconds: float) -> int:
    """Imports the package in a worker and keeps it long enough that every node gets one of these."""
    rp.tournament(["native:1", "native:3"], ["yard"], matches=1, frags=1)
    time.sleep(seconds)
    return os.getpid()


def busy_secs() -> float:
    """Processor seconds that the machine has spent on anything."""
    with open("/proc/stat", encoding="ascii") as file:
        spent = [int(number) for number in file.readline().split()[1:9]]
    return (sum(spent) - spent[3] - spent[4]) / os.sysconf("SC_CLK_TCK")


@contextmanager
def on_ray(nodes: int) -> Iterator[cluster.Mapper]:
    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        mapper = cluster.on_ray(machines.address)
        for _ in range(nodes):
            machines.add_node(num_cpus=1)
        while ray.cluster_resources().get("CPU", 0) < nodes:
            time.sleep(0.1)
        while len({process for _, process in mapper(warm, [(1.0,)] * nodes)}) < nodes:
            pass
        yield mapper
    finally:
        ray.shutdown()
        machines.shutdown()


@contextmanager
def plain(processes: int) -> Iterator[cluster.Mapper]:
    import multiprocessing

    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:

        def mapper(function: Callable[..., Any], arguments: Any) -> Iterator[tuple[int, Any]]:
            futures = {pool.submit(function, *one): k for k, one in enumerate(arguments)}
            for future in as_completed(futures):
                yield futures[future], future.result()

        while len({process for _, process in mapper(warm, [(1.0,)] * processes)}) < processes:
            pass
        yield mapper


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=3, help="how often everything is done [3]")
    options.add_argument("--matches", type=int, default=64, help="matches of the tournament [64]")
    options.add_argument("--frags", type=int, default=100, help="frags that end a match [100]")
    options.add_argument("--recordings", type=int, default=24, help="recordings of 300 s to learn from [24]")
    options.add_argument("--quick", action="store_true", help="one turn of little work")
    asked = options.parse_args()
    if asked.quick:
        asked.turns, asked.matches, asked.frags, asked.recordings = 1, 8, 5, 4

    def tournament(mapper: cluster.Mapper, _: Path) -> object:
        who = ["hunter", "native:3", "native:5"]
        return cluster.tournament(who, ["halls"], matches=asked.matches, frags=asked.frags, mapper=mapper, shards=asked.matches).to_dict()

    with tempfile.TemporaryDirectory() as folder:
        plays = Path(folder) / "plays"
        plays.mkdir()
        for seed in range(asked.recordings):
            file = plays / f"{seed:03}.parquet"
            rp.record(file, ["hunter", "prudent", "native:3", "native:5"], "halls", seed=seed, seconds=30.0 if asked.quick else 300.0)

        def learning(mapper: cluster.Mapper, work: Path) -> object:
            how: dict[str, Any] = dict(players=["hunter"], decisions=4, starts=1, iterations=4 if asked.quick else 10)
            return cluster.learn_chameleon(plays, work=work, mapper=mapper, shards=asked.recordings, **how).character

        times: dict[tuple[str, str, int], list[float]] = {}
        results: dict[str, object] = {}
        for turn in range(asked.turns):
            for how, machines in (("processes", plain), ("Ray nodes", on_ray)):
                for count in (1, 2):
                    with machines(count) as mapper:
                        for what, work in (("tournament", tournament), ("learning", learning)):
                            before, start = busy_secs(), time.perf_counter()
                            result = work(mapper, Path(folder) / f"work-{turn}-{how}-{count}")
                            taken = time.perf_counter() - start
                            busy = (busy_secs() - before) / taken
                            if results.setdefault(what, result) != result:
                                raise SystemExit(f"{what} on {count} {how}: other bits")
                            times.setdefault((what, how, count), []).append(taken)
                            print(f"turn {turn + 1}  {what:<10}  {count} {how:<9}  {taken:7.1f} s  busy {busy:4.2f} cores", flush=True)
    print()
    for what in ("tournament", "learning"):
        for how in ("processes", "Ray nodes"):
            one, two = times[what, how, 1], times[what, how, 2]
            ratios = sorted(a / b for a, b in zip(one, two))
            shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
            print(f"{what:<10}  two {how:<9} are {statistics.median(ratios):.2f} times as fast as one ({shown})")


if __name__ == "__main__":
    main()
