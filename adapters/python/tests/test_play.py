"""Matches, tournaments, recordings, and what is learned from them."""

import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import repertoire as rp
from repertoire import datasets


def test_the_same_seed_gives_the_same_tournament_on_any_number_of_threads() -> None:
    def played(threads: int) -> list[str]:
        report = rp.tournament(["native:3", "native:1"], ["yard"], matches=3, frags=3, seed=5, threads=threads)
        return [one["hash"] for one in report.matches]

    assert played(1) == played(2)


def test_a_policy_from_elsewhere_enters_a_tournament() -> None:
    asked = []

    def rush(observation: np.ndarray) -> list[float]:
        asked.append(observation)
        at = rp.OBSERVATION_NAMES.index
        turn = 2 * observation[at("other_0_yaw")] if observation[at("other_0_seen")] else 0.3
        return [turn, 0, 1, 0, 0, 1, 0]

    told = []
    report = rp.tournament(
        ["native:0", ("rush", rush)], ["yard"], matches=2, frags=3, progress=lambda done, of: told.append((done, of))
    )
    names = {one["name"] for one in report.standings}
    assert names == {"native:0", "rush"} and len(asked) > 100 and asked[0].shape == (len(rp.OBSERVATION_NAMES),)
    assert told[-1] == (2, 2) and "<table>" in report._repr_html_()


def test_what_a_policy_raises_is_raised() -> None:
    def broken(_: np.ndarray) -> list[float]:
        raise KeyError("no such feature")

    with pytest.raises(KeyError, match="no such feature"):
        rp.tournament(["native:0", ("broken", broken)], ["yard"], matches=1, frags=1, time_limit=20)
    with pytest.raises(rp.RepertoireError, match="needs 7"):
        rp.tournament(["native:0", ("short", lambda _: [0.0])], ["yard"], matches=1, frags=1, time_limit=20)
    with pytest.raises(rp.RepertoireError, match="NaN"):
        rp.tournament(["native:0", ("nan", lambda _: [np.nan] * 7)], ["yard"], matches=1, frags=1, time_limit=20)


def test_table_libraries_take_a_recording_directly(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    path = tmp_path / "match.parquet"
    rp.record(path, ["native:3", "native:1"], "yard", seconds=5)
    frame = polars.DataFrame(rp.Recording(path))
    assert frame.height == polars.read_parquet(path).height and frame.height >= 100
    with pytest.raises(rp.RepertoireError, match="is not there"):
        rp.Recording(tmp_path / "none.parquet")


def test_ctrl_c_ends_a_tournament_and_the_interpreter_runs_meanwhile() -> None:
    counted = 0

    def interrupt() -> None:
        nonlocal counted
        for _ in range(20):
            time.sleep(0.01)
            counted += 1
        signal.raise_signal(signal.SIGINT)

    # A process that was started in the background of a script ignores Ctrl-C, and so does an interpreter in it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            rp.tournament(["native:3", "native:1"], ["yard"], matches=100_000, frags=2)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    assert counted == 20 and time.monotonic() - start < 60


def test_what_progress_raises_ends_the_work() -> None:
    def tell(done: int, _: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        rp.tournament(["native:3", "native:1"], ["yard"], matches=100_000, frags=2, progress=tell)


def test_a_match_goes_on_from_where_it_was_saved() -> None:
    who = ["native:3", "hunter"]
    game = rp.Match(who, "yard", seed=4)
    game.tick(50)
    saved = game.save()
    game.tick(50)
    other = rp.Match(who, "yard", seed=9)
    other.restore(saved, who)
    other.tick(50)
    assert other.state_hash == game.state_hash and game.seconds == pytest.approx(10.0)
    assert len(game.characters()) == 2 and game.why(1)


def test_a_recording_replays_and_other_tools_open_it(recording: str) -> None:
    replayed = rp.replay(recording)
    assert replayed.agrees and replayed["ticks"] == 400
    with open(recording, "rb") as file:
        assert file.read(4) == b"PAR1"


@pytest.mark.parametrize("tool", ["polars", "duckdb", "pyarrow", "pandas"])
def test_a_recording_is_a_table_for(tool: str, recording: str) -> None:
    """As a file, and handed over in memory by Arrow's PyCapsule interface."""
    module, open_one = pytest.importorskip(tool), rp.Recording(recording)
    if tool == "polars":
        rows = module.read_parquet(recording).height, module.DataFrame(open_one).height
    elif tool == "duckdb":
        there = module.sql(f"select count(*) from '{recording}'"), module.sql("select count(*) from open_one")
        rows = there[0].fetchall()[0][0], there[1].fetchall()[0][0]
    elif tool == "pyarrow":
        parquet = pytest.importorskip("pyarrow.parquet")
        rows = parquet.read_table(recording).num_rows, module.table(open_one).num_rows
    else:
        pytest.importorskip("pyarrow")
        rows = len(module.read_parquet(recording)), len(module.DataFrame.from_arrow(open_one))
    assert rows == (800, 800)


def test_signatures_places_and_pupils_come_from_recordings(recording: str, tmp_path: Path) -> None:
    report = rp.signature(recording, seconds=30)
    assert len(report["signatures"]) == 2 and report["distances_degrees"]
    places = rp.learn_places([recording], output=tmp_path / "places.json")
    assert places["maps"][0]["nodes"] > 1 and (tmp_path / "places.json").exists()
    pupil = rp.imitate(recording, players=["native:5"], decisions=2, starts=1, iterations=3)
    file = pupil.save(tmp_path / "pupil.character")
    report = rp.tournament([f"pupil={file}", "native:0"], ["yard"], matches=1, frags=1, time_limit=30)
    assert {one["name"] for one in report.standings} == {"pupil", "native:0"}


def test_recorded_play_becomes_episodes_and_a_clone_plays(recording: str) -> None:
    episodes = datasets.lives(recording, "native:5")
    assert sum(len(one.actions) for one in episodes) > 200
    assert all(len(one.observations) == len(one.actions) + 1 == len(one.rewards) + 1 for one in episodes)
    assert all(np.abs(one.actions).max() <= 1 for one in episodes)
    report = rp.tournament([("clone", datasets.clone(episodes)), "native:0"], ["yard"], matches=1, frags=1, time_limit=30)
    assert len(report.standings) == 2


def test_minari_datasets_go_out_and_come_in(recording: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    episodes = datasets.lives(recording, "native:5")
    datasets.to_minari("arena/native5-v0", episodes)
    again = datasets.from_minari("arena/native5-v0")
    assert len(again) == len(episodes)
    for ours, theirs in zip(episodes, again):
        assert np.array_equal(ours.observations, theirs.observations)
        assert np.array_equal(ours.actions, theirs.actions)
        assert np.array_equal(ours.rewards, theirs.rewards)
