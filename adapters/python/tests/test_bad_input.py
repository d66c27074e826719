"""Bad input gives an exception and never a crash."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import repertoire as rp


def test_calls_with_anything_never_crash() -> None:
    calls = os.environ.get("REPERTOIRE_FUZZ_CALLS", "20000")
    script = str(Path(__file__).parent / "fuzz.py")
    ran = subprocess.run([sys.executable, script, calls, "1"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]


def test_a_population_refuses_what_does_not_fit_and_stays_as_it_was(village: rp.Design) -> None:
    population, other = rp.Population(village, 10, 1), rp.Population(village, 10, 1)
    wrong = [
        ({"wolf": np.zeros(9, np.uint8)}, "needs 10"),
        ({"wolf": np.zeros(10)}, "uint8"),
        ({"wolf": np.full(10, 2, np.uint8)}, "below 2"),
        ({"wulf": np.zeros(10, np.uint8)}, "did you mean `wolf`"),
        ({"wolf": np.zeros(20, np.uint8)[::2]}, "ascontiguousarray"),
        ({"wolf": np.zeros((10, 1), np.uint8)}, "one-dimensional"),
    ]
    for readings, said in wrong:
        with pytest.raises(rp.RepertoireError, match=said):
            population.tick(readings)
    fixed = np.zeros(10, np.uint8)
    fixed.flags.writeable = False
    with pytest.raises(rp.RepertoireError, match="written to"):
        population.tick({}, tasks=fixed)
    shared = np.zeros(10, np.uint8)
    with pytest.raises(rp.RepertoireError):
        population.tick({"wolf": shared}, tasks=shared)
    assert np.array_equal(population.tick()[0], other.tick()[0])


def test_a_mind_of_another_kind_or_version_is_refused(village: rp.Design) -> None:
    mind = rp.Mind(village, 1)
    mind.tick()
    saved = mind.save()
    for wrong, said in [
        (saved.replace(b'"format":1', b'"format":9'), "format 9"),
        (saved.replace(b'"villager"', b'"wolf"'), "saved as a wolf"),
        (saved[:-20], "no saved mind"),
        (b"\xff", "no saved mind"),
    ]:
        with pytest.raises(rp.RepertoireError, match=said):
            mind.restore(wrong)
    assert mind.save() == saved


def test_nan_and_wrong_shapes_are_refused_by_filters_and_arenas() -> None:
    dynamics = rp.Dynamics([1, 0], [[0, 1], [1, 0]], [[1], [1]])
    filters = rp.Filters(dynamics, 3)
    with pytest.raises(rp.RepertoireError, match="begin first"):
        filters.step(np.ones((3, 2)))
    with pytest.raises(rp.RepertoireError, match="NaN"):
        filters.begin(np.full((3, 2), np.nan))
    with pytest.raises(rp.RepertoireError, match="shape"):
        filters.begin(np.ones((2, 3)))
    pytest.importorskip("gymnasium")
    from repertoire import envs

    many = envs.ArenaVectorEnv(2, ["native:0"])
    with pytest.raises(rp.RepertoireError, match="reset first"):
        many.step(np.zeros((2, 7)))
    many.reset(seed=1)
    for wrong in [np.zeros((2, 6)), np.zeros((3, 7)), np.full((2, 7), np.nan), np.zeros(7), "x", None]:
        with pytest.raises(rp.RepertoireError):
            many.step(wrong)
    for options in [{"opponents": ["orc"]}, {"map": "nowhere"}, {"seconds": float("nan")}, {"frags": 0}, {"rewards": (1, 2, 3, float("inf"))}]:
        with pytest.raises(rp.RepertoireError):
            envs.ArenaVectorEnv(2, **options)
