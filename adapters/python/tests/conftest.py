"""What several tests need."""

from pathlib import Path

import pytest
import repertoire as rp

#: The villagers whose decisions all adapters must reproduce.
VILLAGE = Path(__file__).parents[2] / "c" / "tests"


@pytest.fixture(scope="session")
def village() -> rp.Design:
    return rp.Design.load(VILLAGE / "village.toml")


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("play") / "match.parquet"
    return rp.record(path, ["native:5", "native:3"], "yard", seed=3, seconds=40).file
