"""Long work on many machines has the bits of one: in shards, on Ray with one and two nodes, on Dask; nodes and drivers die."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import repertoire as rp
from repertoire import cluster

TOURNAMENT: dict[str, Any] = dict(contenders=["native:1", "native:3"], maps=["yard", "keep"], matches=4, frags=2, seed=7)


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of recordings, a file for each match."""
    folder = tmp_path_factory.mktemp("plays")
    for seed in range(8):
        rp.record(folder / f"match-{seed}.parquet", ["prudent", "native:3"], "yard", seed=seed, seconds=20.0)
    return folder


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    return rp.tournament(**TOURNAMENT).to_dict()


def chameleon(plays: Path, work: Path, **how: Any) -> bytes:
    found = cluster.learn_chameleon(plays, work=work, players=["prudent"], decisions=2, starts=2, iterations=12, **how)
    return found.character


def sequence(plays: Path, work: Path, **how: Any) -> bytes:
    return cluster.learn_sequence(plays, work=work, players=["prudent"], **how).character


@pytest.fixture(scope="module")
def learned(plays: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    folder = tmp_path_factory.mktemp("alone")
    return chameleon(plays, folder / "c", shards=1), sequence(plays, folder / "s", shards=1)


def shuffled(seed: int) -> cluster.Mapper:
    def run(function: Callable[..., Any], arguments: Any) -> Iterator[tuple[int, Any]]:
        order = list(range(len(arguments)))
        random.Random(seed).shuffle(order)
        yield from ((k, function(*arguments[k])) for k in order)

    return run


def test_a_card_has_the_same_bits_in_shards(tmp_path: Path) -> None:
    asked: dict[str, Any] = dict(matches=1, seconds=10.0, seed=3)
    alone = rp.believable("native:3", ["yard"], shards=1, **asked)
    parts = cluster.believable("native:3", ["yard"], shards=3, mapper=shuffled(5), work=tmp_path, **asked)
    assert parts.to_dict() == alone.to_dict() and str(parts) == str(alone)
    assert list(alone.met) == [f"B{k}" for k in range(1, 11)] and "B1" in alone._repr_html_()
    with pytest.raises(rp.RepertoireError):
        cluster.believable("nobody", ["yard"], **asked)


def check(mapper: cluster.Mapper, shards: int, alone: Any, learned: Any, plays: Path, work: Path) -> None:
    """The same tournament and the same learned characters."""
    assert cluster.tournament(**TOURNAMENT, mapper=mapper, shards=shards, work=work / "t").to_dict() == alone
    assert chameleon(plays, work / "c", mapper=mapper, shards=shards) == learned[0]
    assert sequence(plays, work / "s", mapper=mapper, shards=shards) == learned[1]


@pytest.mark.parametrize("shards", [2, 3, 8])
def test_shards_in_any_order_give_the_same_bits(shards: int, alone: Any, learned: Any, plays: Path, tmp_path: Path) -> None:
    check(shuffled(shards), shards, alone, learned, plays, tmp_path)


def test_labels_and_heuristics_are_counted_in_parts(plays: Path, tmp_path: Path) -> None:
    for method in ["labels", "heuristic"]:
        one = sequence(plays, tmp_path / f"{method}-1", method=method, shards=1)
        assert sequence(plays, tmp_path / f"{method}-3", method=method, shards=3, mapper=shuffled(5)) == one
        assert b"counts" in one
    with pytest.raises(rp.RepertoireError, match="not in parts"):
        sequence(plays, tmp_path / "i", method="incremental")


def test_practice_in_parts_finds_the_same(plays: Path, learned: Any, tmp_path: Path) -> None:
    file = tmp_path / "pupil.character"
    file.write_bytes(learned[0])
    how: dict[str, Any] = dict(players=["prudent"], map="yard", seconds=5.0)
    one = cluster.practise(file, [str(path) for path in sorted(plays.iterdir())[:2]], work=tmp_path / "1", shards=1, **how)
    many = cluster.practise(
        file, [str(path) for path in sorted(plays.iterdir())[:2]], work=tmp_path / "2", mapper=shuffled(2), shards=7, **how
    )
    assert one == many


def test_a_character_that_changes_between_two_shards_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "scout.toml"
    fighter = (Path(__file__).parents[3] / "crates/mind/fighters/hunter.toml").read_text()
    file.write_text(fighter)
    seats, how = [f"scout={file}", "native:3"], dict(maps=["yard"], matches=4, frags=1)
    with pytest.raises(rp.RepertoireError, match="is not what the work began with"):

        def meddling(function: Any, arguments: Any) -> Any:
            for k, one in enumerate(arguments):
                yield k, function(*one)
                file.write_text(fighter + "\n# better\n")

        cluster.tournament(seats, **how, shards=4, work=tmp_path / "t", mapper=meddling)  # type: ignore[arg-type]
    with pytest.raises(rp.RepertoireError, match="files that have changed since"):
        cluster.tournament(seats, **how, shards=4, work=tmp_path / "t")  # type: ignore[arg-type]
    file.write_text(fighter)
    assert cluster.tournament(seats, **how, shards=4, work=tmp_path / "t").matches  # type: ignore[arg-type]


def test_bad_shards_and_folders_of_other_work_are_refused(plays: Path, tmp_path: Path) -> None:
    cluster.tournament(**TOURNAMENT, work=tmp_path / "t", shards=2)
    with pytest.raises(rp.RepertoireError, match="other work"):
        cluster.tournament(**{**TOURNAMENT, "seed": 8}, work=tmp_path / "t")
    shard = next((tmp_path / "t").glob("0-*.shard"))
    shard.write_text(shard.read_text()[:-40])
    with pytest.raises(rp.RepertoireError, match="is not whole"):
        cluster.tournament(**TOURNAMENT, work=tmp_path / "t")
    chameleon(plays, tmp_path / "c")
    with pytest.raises(rp.RepertoireError, match="another lesson"):
        cluster.learn_chameleon(plays, work=tmp_path / "c", decisions=3)


def test_a_driver_that_was_killed_does_nothing_twice(alone: Any, learned: Any, plays: Path, tmp_path: Path) -> None:
    """The driver is killed after some commits and started again: what was committed is not done again."""
    done: list[tuple[Any, ...]] = []

    class Killed(Exception):
        pass

    def until(most: int) -> cluster.Mapper:
        def run(function: Callable[..., Any], arguments: Any) -> Iterator[tuple[int, Any]]:
            for k, one in enumerate(arguments):
                if len(done) >= most:
                    raise Killed
                result = function(*one)
                done.append(one if isinstance(one[0], str) else (hash(one[0]), *one[1:]))
                yield k, result

        return run

    for most in (3, 5, 1000):
        try:
            report = cluster.tournament(**TOURNAMENT, mapper=until(most), shards=8, work=tmp_path / "t")
        except Killed:
            continue
    assert report.to_dict() == alone
    assert len(done) == len(set(done)) == 8
    done.clear()
    for most in (2, 9, 21, 100_000):
        try:
            character = chameleon(plays, tmp_path / "c", mapper=until(most), shards=4)
        except Killed:
            continue
    assert character == learned[0]
    # A question may be asked in two rounds (the same numbers), but no range of a round twice: rounds times shards in all.
    rounds = len(list((tmp_path / "c").glob("round-*")))
    assert len(done) == 4 * rounds


DRIVER = """
import sys
from repertoire import cluster
found = cluster.learn_chameleon(sys.argv[1], work=sys.argv[2], players=["prudent"], decisions=2, starts=2, iterations=12, shards=4)
found.save(sys.argv[3])
"""


def test_a_driver_killed_by_the_system_goes_on(learned: Any, plays: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DRIVER, str(plays), str(tmp_path / "work"), str(tmp_path / "pupil.character")]
    moments = random.Random(1)
    for _ in range(4):
        driver = subprocess.Popen(command)
        time.sleep(moments.uniform(0.5, 3.0))
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    subprocess.run(command, check=True)
    assert (tmp_path / "pupil.character").read_bytes() == learned[0]


@pytest.fixture(scope="module")
def ray() -> Any:
    ray = pytest.importorskip("ray")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    return ray


@pytest.mark.parametrize("nodes", [1, 2])
def test_ray_gives_the_same_bits(nodes: int, ray: Any, alone: Any, learned: Any, plays: Path, tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster

    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1 if nodes == 1 else 0})
    try:
        mapper = cluster.on_ray(machines.address)
        for _ in range(nodes if nodes > 1 else 0):
            machines.add_node(num_cpus=1)
        check(mapper, 4, alone, learned, plays, tmp_path)
    finally:
        ray.shutdown()
        machines.shutdown()


def test_ray_begins_by_itself(ray: Any, alone: Any) -> None:
    ray.init(num_cpus=1, log_to_driver=False)
    try:
        assert cluster.tournament(**TOURNAMENT, mapper=cluster.on_ray(), shards=3).to_dict() == alone
        with pytest.raises(rp.RepertoireError, match="nobody"):
            cluster.tournament(["nobody", "native:1"], ["yard"], mapper=cluster.on_ray())
    finally:
        ray.shutdown()


def test_nodes_killed_at_random_moments_lose_nothing(ray: Any, alone: Any, tmp_path: Path) -> None:
    """By SIGKILL and by ungraceful removal; each time another node comes. The count is KILLS (20 by hand, 4 by default)."""
    import threading

    from ray.cluster_utils import Cluster

    kills, moments = int(os.environ.get("KILLS", "4")), random.Random(3)
    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    # The driver joins while the head is alone, so that its own node is none of those that die.
    mapper = cluster.on_ray(machines.address)
    nodes = [machines.add_node(num_cpus=1) for _ in range(2)]
    killed, over, runs, failed = 0, threading.Event(), [], []

    def play() -> None:
        try:
            while not over.is_set():
                commits: list[tuple[int, int]] = []
                work = tmp_path / str(len(runs))
                report = cluster.tournament(
                    **TOURNAMENT, mapper=mapper, shards=8, work=work, arrived=lambda a, b: commits.append((a, b))
                )
                assert report.to_dict() == alone
                assert len(commits) == len(set(commits)) == 8
                runs.append(commits)
        except BaseException as error:
            failed.append(error)

    # Nodes can be added in the main thread only.
    player = threading.Thread(target=play)
    player.start()
    try:
        while killed < kills and player.is_alive():
            time.sleep(moments.uniform(0.5, 2.5))
            node = nodes.pop(moments.randrange(len(nodes)))
            if killed % 2:
                machines.remove_node(node, allow_graceful=False)
            else:
                for _, process in node.live_processes():
                    process.send_signal(signal.SIGKILL)
            killed += 1
            nodes.append(machines.add_node(num_cpus=1))
    finally:
        over.set()
        player.join(timeout=300)
        ray.shutdown()
        machines.shutdown()
    assert not failed and not player.is_alive() and runs, failed
    print(f"{killed} nodes killed in {len(runs)} tournaments")


def test_dask_gives_the_same_bits(alone: Any, learned: Any, plays: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as machines:
        with distributed.Client(machines) as client:
            check(cluster.on_dask(client), 4, alone, learned, plays, tmp_path)


def test_shards_from_python_are_files_of_the_command_line(tmp_path: Path) -> None:
    cluster.tournament(**TOURNAMENT, work=tmp_path, shards=2)
    first = json.loads((tmp_path / "0-4.shard").read_text().splitlines()[0].split(" ", 2)[2])
    assert first["what"]["kind"] == "tournament" and first["command"][0] == "tournament"
