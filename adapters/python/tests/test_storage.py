"""Recordings and committed work on S3: the bits of a disk, from real servers on loopback that are killed and come back.

A server is any of these that is installed; each is tried: `s3s-fs` (``cargo install s3s-fs --features binary``; on the path, or where
``S3S_FS`` says) and `moto_server` (``pip install "moto[server]"``). obstore is needed too (``pip install "repertoire[s3]"``).
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import repertoire as rp
from repertoire import cluster, storage

obstore = pytest.importorskip("obstore", reason="obstore is missing: pip install 'repertoire[s3]'")

TOURNAMENT: dict[str, Any] = dict(contenders=["native:1", "native:3"], maps=["yard", "keep"], matches=4, frags=2, seed=7)
CHAMELEON: dict[str, Any] = dict(players=["prudent"], decisions=2, starts=1, iterations=6)


def program(name: str) -> str | None:
    beside = Path(sys.executable).parent / name
    given = os.environ.get("S3S_FS") if name == "s3s-fs" else None
    return given or shutil.which(name) or (str(beside) if beside.exists() else None)


class Server:
    """A server of S3 on loopback, a process of its own."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "plays").mkdir()
        self.start()
        if kind == "moto_server":
            urllib.request.urlopen(urllib.request.Request(f"{self.url}/plays", method="PUT")).close()

    def start(self) -> None:
        asked = ["--host", "127.0.0.1", "--port", str(self.port)]
        keys = ["--access-key", "somebody", "--secret-key", "a secret", str(self.folder)]
        command = [program(self.kind) or self.kind, *asked, *(keys if self.kind == "s3s-fs" else [])]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                urllib.request.urlopen(self.url).close()
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise RuntimeError(f"{self.kind} does not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(params=["s3s-fs", "moto_server"])
def server(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if program(request.param) is None:
        pytest.skip(f"{request.param} is missing: see the head of {Path(__file__).name}")
    folder = tmp_path / "server"
    folder.mkdir()
    made = Server(request.param, folder)
    for name, value in {
        "AWS_ENDPOINT_URL": made.url,
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "a secret",
        "REPERTOIRE_CACHE": str(tmp_path / "cache"),
        "REPERTOIRE_S3_PATIENCE": "2",
    }.items():
        monkeypatch.setenv(name, value)
    yield made
    made.kill()


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plays")
    for seed in range(5):
        rp.record(folder / f"match-{seed}.parquet", ["prudent", "native:3"], "yard", seed=seed, seconds=20.0)
    return folder


@pytest.fixture(scope="module")
def alone(plays: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, bytes, bytes]:
    """What a disk gives."""
    folder = tmp_path_factory.mktemp("alone")
    return (
        rp.tournament(**TOURNAMENT).to_dict(),
        cluster.learn_chameleon(plays, work=folder / "c", **CHAMELEON).character,
        cluster.learn_sequence(plays, work=folder / "s", players=["prudent"], method="batch").character,
    )


@pytest.fixture
def uploaded(server: Server, plays: Path) -> str:
    """The recordings in a bucket, beside what is none."""
    store = storage.Store()
    for k, path in enumerate(sorted(plays.iterdir())):
        store.keep(f"s3://plays/day-{k % 2}/{path.name}", path.read_bytes())
    store.keep("s3://plays/day-0/notes.txt", b"no recording")
    store.keep("s3://plays/day-0/.hidden.parquet", b"no recording")
    return "s3://plays"


def test_a_store_keeps_reads_lists_and_removes(server: Server, plays: Path, uploaded: str) -> None:
    store = storage.Store()
    assert store.read("s3://plays/none") is None
    store.keep("s3://plays/a/b", b"one")
    store.keep("s3://plays/a/b", b"two")
    store.keep("s3://plays/a/c/d", b"deeper")
    assert store.read("s3://plays/a/b") == b"two"
    assert store.files("s3://plays/a") == ["s3://plays/a/b"] and store.files("s3://plays/z") == []
    store.remove("s3://plays/a/b")
    store.remove("s3://plays/a/b")
    assert store.read("s3://plays/a/b") is None
    names = [name for name, _ in store.find(uploaded)]
    assert names == [f"s3://plays/day-{k % 2}/match-{k}.parquet" for k in (0, 2, 4, 1, 3)]
    assert [name for name, _ in store.find("s3://plays/day-1/*.parquet")] == names[3:]
    assert [name for name, _ in store.find("s3://plays/**/match-?.parquet")] == names
    one = store.find(names[0])
    assert one == [(names[0], (plays / "match-0.parquet").stat().st_size)]
    with pytest.raises(rp.RepertoireError, match="there is no recording"):
        store.find("s3://plays/day-2")
    with pytest.raises(rp.RepertoireError, match="such a place is unknown"):
        store.find("ftp://plays/day-2")


def test_a_bucket_gives_the_bits_of_a_disk(server: Server, uploaded: str, alone: Any) -> None:
    assert cluster.tournament(**TOURNAMENT, work="s3://plays/work/t", shards=4).to_dict() == alone[0]
    character = cluster.learn_chameleon(uploaded + "/day-*/*.parquet", work="s3://plays/work/c", shards=3, **CHAMELEON)
    assert character.character == alone[1]
    behaviour = cluster.learn_sequence(uploaded, work="s3://plays/work/s", players=["prudent"], shards=2)
    assert behaviour.character == alone[2]


@pytest.mark.parametrize("most", [0, 1_000_000])
def test_the_cache_stays_as_small_as_it_is_told(
    most: int, server: Server, uploaded: str, alone: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPERTOIRE_CACHE_BYTES", str(most))
    found = cluster.learn_chameleon(uploaded, work="s3://plays/work/c", **CHAMELEON)
    assert found.character == alone[1]
    sizes = [path.stat().st_size for path in (tmp_path / "cache/objects").iterdir()]
    largest = max(size for _, size in storage.Store().find(uploaded))
    assert sum(sizes) <= most + largest
    assert list((tmp_path / "cache/pins").iterdir()) == []


def test_a_recording_that_changed_is_noticed(server: Server, uploaded: str, plays: Path) -> None:
    store, name, size = storage.Store(), "s3://plays/day-0/match-0.parquet", (plays / "match-0.parquet").stat().st_size
    before = store.local(name, size)
    assert before and Path(before).read_bytes() == (plays / "match-0.parquet").read_bytes()
    store.keep(name, bytes(size))
    after = store.local(name, size)
    assert after and Path(after).read_bytes() == bytes(size), "another content of the same length"
    assert store.local(name, size + 1) is None and store.local(name + "x", size) is None
    with pytest.raises(rp.RepertoireError, match="match-0.parquet: this is no recording"):
        cluster.learn_sequence(uploaded, work="s3://plays/work/s", players=["prudent"])


FIGHTERS = Path(__file__).parents[3] / "crates/mind/fighters"
MAPS = Path(__file__).parents[3] / "crates/worlds/maps"


def test_characters_and_maps_come_from_a_bucket(server: Server, alone: Any, tmp_path: Path) -> None:
    store, who, yard = storage.Store(), tmp_path / "who", next(MAPS.rglob("yard*"))
    who.mkdir()
    # A character's file that names another beside it.
    for name in ("imitator.toml", "imitator.character"):
        text = (FIGHTERS / name).read_bytes()
        (who / name).write_bytes(text.replace(b'teacher = "imitator"', b'teacher = "imitator.character"'))
        store.keep(f"s3://plays/who/{name}", (who / name).read_bytes())
    store.keep("s3://plays/maps/ground.toml", yard.read_bytes())
    how: dict[str, Any] = dict(matches=3, frags=2, seed=7)
    disk = rp.tournament([f"a={who}/imitator.toml+belief", "native:3"], [str(yard)], **how)
    seats = ["a=s3://plays/who/imitator.toml+belief", "native:3"]
    grounds = ["s3://plays/maps/ground.toml"]
    assert cluster.tournament(seats, grounds, work="s3://plays/work/t", shards=2, **how).to_dict() == disk.to_dict()
    shard = (store.read(store.files("s3://plays/work/t")[0]) or b"").decode().splitlines()[0]
    assert "s3://plays/who/imitator.toml" in shard and "cache" not in shard, "no path of a machine is in it"
    assert "s3://plays/who/imitator.character" in shard, "files that the character names count too"
    store.keep("s3://plays/who/imitator.character", alone[1])
    with pytest.raises(rp.RepertoireError, match="files that have changed since"):
        cluster.tournament(seats, grounds, work="s3://plays/work/t", shards=2, **how)


def test_practice_begins_in_a_bucket(server: Server, uploaded: str, plays: Path, alone: Any, tmp_path: Path) -> None:
    how: dict[str, Any] = dict(players=["prudent"], map="yard", seconds=5.0)
    (tmp_path / "pupil.character").write_bytes(alone[1])
    storage.Store().keep("s3://plays/pupils/pupil.character", alone[1])
    disk = cluster.practise(tmp_path / "pupil.character", [plays / "match-0.parquet"], work=tmp_path / "p", **how)
    bucket = cluster.practise("s3://plays/pupils/pupil.character", uploaded + "/day-0/match-0.parquet", work="s3://plays/p", **how)
    assert bucket == disk
    assert list((tmp_path / "cache/pins").iterdir()) == []


class Killed(Exception):
    pass


def test_a_driver_that_was_killed_does_nothing_twice(server: Server, uploaded: str, alone: Any) -> None:
    done: list[tuple[Any, ...]] = []

    def until(most: int) -> cluster.Mapper:
        def run(function: Callable[..., Any], arguments: Any) -> Iterator[tuple[int, Any]]:
            for k, one in enumerate(arguments):
                if len(done) >= most:
                    raise Killed
                done.append(one)
                yield k, function(*one)

        return run

    for most in (2, 5, 100_000):
        try:
            report = cluster.tournament(**TOURNAMENT, mapper=until(most), shards=8, work="s3://plays/work/t")
        except Killed:
            continue
    assert report.to_dict() == alone[0] and len(done) == len(set(done)) == 8
    done.clear()
    for most in (2, 7, 100_000):
        try:
            found = cluster.learn_chameleon(uploaded, work="s3://plays/work/c", mapper=until(most), shards=5, **CHAMELEON)
        except Killed:
            continue
    assert found.character == alone[1]
    rounds = len({name.split("/")[-2] for some in obstore.list(storage._bucket(uploaded)[0]) for name in
                  [one["path"] for one in some] if "/c/round-" in name})
    assert len(done) == 5 * rounds, "every range of every round once"


DRIVER = """
import sys
from repertoire import cluster
def told(function, arguments):
    for k, one in enumerate(arguments):
        print(one[2], one[3], flush=True)
        yield k, function(*one)
cluster.tournament(%r, %r, matches=4, frags=2, seed=7, mapper=told, shards=8, work="s3://plays/work/t")
""" % (TOURNAMENT["contenders"], TOURNAMENT["maps"])


def test_a_driver_killed_by_the_system_goes_on(server: Server, alone: Any) -> None:
    """SIGKILL at random moments: whoever begins again asks for nothing that is in the bucket."""
    moments, asked = random.Random(2), []
    for k in range(5):
        there = {Path(name).stem.replace("-", " ") for name in storage.Store().files("s3://plays/work/t")}
        driver = subprocess.Popen([sys.executable, "-c", DRIVER], stdout=subprocess.PIPE, text=True)
        if k < 4:
            time.sleep(moments.uniform(0.2, 1.2))
            driver.send_signal(signal.SIGKILL)
        said = (driver.communicate()[0] or "").splitlines()
        assert not there & set(said)
        asked += said
    assert driver.returncode == 0 and len(set(asked)) >= 8
    nobody = cluster.tournament(**TOURNAMENT, work="s3://plays/work/t", shards=8, mapper=lambda function, arguments: list(arguments))
    assert nobody.to_dict() == alone[0], "all was there"


def test_a_server_that_goes_and_comes_back_loses_nothing(server: Server, alone: Any) -> None:
    if server.kind == "moto_server":
        pytest.skip("moto_server keeps everything in memory")
    done: list[tuple[Any, ...]] = []

    def run(function: Callable[..., Any], arguments: Any) -> Iterator[tuple[int, Any]]:
        for k, one in enumerate(arguments):
            done.append(one)
            if len(done) == 4:
                server.kill()
            yield k, function(*one)

    with pytest.raises(rp.RepertoireError, match="does not answer") as refused:
        cluster.tournament(**TOURNAMENT, mapper=run, shards=8, work="s3://plays/work/t")
    assert "goes on from what was committed" in (refused.value.remedy or "")
    server.start()
    assert cluster.tournament(**TOURNAMENT, mapper=run, shards=8, work="s3://plays/work/t").to_dict() == alone[0]
    assert len(done) == 9 and done.count(done[3]) == 2, "only the piece that could not be committed"


def test_what_is_wrong_is_said_with_a_remedy(server: Server, uploaded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for refused in (
        lambda: cluster.tournament(**TOURNAMENT, work="s3://nowhere/t"),
        lambda: cluster.learn_sequence("s3://nowhere/plays", work="s3://plays/work/x"),
        lambda: cluster.learn_sequence(uploaded, work="s3://nowhere/x"),
    ):
        with pytest.raises(rp.RepertoireError, match="there is no bucket `nowhere`") as error:
            refused()
        assert "make it, or name another" in (error.value.remedy or "")
    with pytest.raises(rp.RepertoireError, match="s3://plays/who/scout.toml: there is no such file"):
        cluster.tournament(["scout=s3://plays/who/scout.toml", "native:3"], ["yard"])
    if server.kind == "s3s-fs":
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a guess")
        for refused in (
            lambda: cluster.tournament(**TOURNAMENT, work="s3://plays/t"),
            lambda: cluster.learn_sequence(uploaded, work="s3://plays/work/x"),
        ):
            with pytest.raises(rp.RepertoireError, match="refuses these credentials") as error:
                refused()
            assert "AWS_ACCESS_KEY_ID" in (error.value.remedy or "")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    server.kill()
    with pytest.raises(rp.RepertoireError, match="does not answer"):
        cluster.learn_sequence(uploaded, work="s3://plays/work/x")


def test_workers_of_ray_read_from_a_bucket(server: Server, uploaded: str, alone: Any) -> None:
    ray = pytest.importorskip("ray", reason="Ray is missing: pip install 'repertoire[cluster]'")
    from ray.cluster_utils import Cluster

    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        mapper = cluster.on_ray(machines.address)
        for _ in range(2):
            machines.add_node(num_cpus=1)
        found = cluster.learn_chameleon(uploaded, work="s3://plays/work/c", mapper=mapper, shards=4, **CHAMELEON)
        assert found.character == alone[1]
    finally:
        ray.shutdown()
        machines.shutdown()
