"""Matches, tournaments, recordings, and what is learned from them."""

from __future__ import annotations

import importlib
import os
from typing import Any, Callable, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import RepertoireError
from .progress import Progress, teller
from .reports import ImitationReport, PlacesReport, RecordingReport, ReplayReport, SignatureReport, TournamentReport

Path = Union[str, "os.PathLike[str]"]
#: From an observation (float32, see ``OBSERVATION_NAMES``) to an action (numbers from -1 to 1, see ``ACTION_NAMES``).
Policy = Callable[[npt.NDArray[np.float32]], Any]
#: ``"native:3"``, ``"hunter"``, ``"NAME=FILE"`` as on the command line; or a name and a policy from elsewhere.
Contender = Union[str, "tuple[str, Policy]"]


class Recording:
    """Recorded play that table libraries take directly: ``polars.DataFrame(Recording("match.parquet"))``, or DuckDB and pandas alike.

    Hands itself over through Arrow's PyCapsule interface, without a copy between the two libraries. Parquet is read by pyarrow or
    Polars, whichever is installed; without either, give the file's name to the library that you have.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise RepertoireError(f"{self.path} is not there", remedy="record(path) writes one", file=self.path)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        for library, read in (("pyarrow.parquet", "read_table"), ("polars", "read_parquet")):
            # By name, so that neither is needed to check or to use the rest.
            try:
                module = importlib.import_module(library)
            except ImportError:
                continue
            return getattr(module, read)(self.path).__arrow_c_stream__(requested_schema)
        raise RepertoireError("no library here reads Parquet", remedy="pip install pyarrow, or polars")

    def __repr__(self) -> str:
        return f"Recording({self.path!r})"


def tournament(
    contenders: Sequence[Contender] = ("hunter", "stalker", "survivor", "native:3", "native:5"),
    maps: Sequence[str] | None = None,
    *,
    matches: int = 3,
    frags: int = 100,
    seed: int = 1,
    threads: int | None = None,
    time_limit: float = 21_600.0,
    progress: Progress = False,
) -> TournamentReport:
    """All contenders against all in one arena, until one reaches ``frags``, several times on each map.

    The same contenders and seed give the same result on any number of threads. Ctrl-C ends it after the matches that have begun.
    """
    names = list(_native.MAPS if maps is None else maps)
    told = teller(progress, "matches")
    report: TournamentReport = _native.tournament(
        list(contenders), names, matches, frags, seed, threads, float(time_limit), told
    )
    return report


def record(
    path: Path,
    contenders: Sequence[Contender] = ("native:1", "native:3", "native:5", "native:7"),
    map: str = "halls",
    *,
    seed: int = 1,
    seconds: float = 300.0,
    why: bool = False,
    progress: Progress = False,
) -> RecordingReport:
    """Plays a match and writes every percept, command, task and event to a Parquet file, which Polars, pandas and DuckDB open."""
    told = teller(progress, "ticks")
    report: RecordingReport = _native.record(os.fspath(path), list(contenders), map, seed, float(seconds), why, told)
    return report


def replay(path: Path, *, progress: Progress = False) -> ReplayReport:
    """Carries out a recording's commands again, and compares every hash and every percept."""
    report: ReplayReport = _native.replay(os.fspath(path), teller(progress, "ticks"))
    return report


def _paths(given: Path | Sequence[Path]) -> list[str]:
    one = isinstance(given, (str, os.PathLike))
    return [os.fspath(given)] if one else [os.fspath(path) for path in given]  # type: ignore[arg-type, union-attr]


def signature(
    play: Path | Sequence[Path],
    *,
    by: str = "recording",
    seconds: float = 300.0,
    habits: bool = False,
    identify: bool = False,
    map: str | None = None,
    progress: Progress = False,
) -> SignatureReport:
    """How players move, from recordings or CSV, and how far they are apart; ``by`` is ``recording`` or ``player``.

    With ``identify`` each recording is held out in turn and given to the player who moves most like it.
    """
    told = teller(progress, "signatures")
    report: SignatureReport = _native.signature(_paths(play), by, float(seconds), habits, identify, map, told)
    return report


def learn_places(
    play: Path | Sequence[Path],
    *,
    passes: int = 1,
    seed: int = 1,
    output: Path | None = None,
    progress: Progress = False,
) -> PlacesReport:
    """Places and links of a map, learned from where players walked; written as JSON if ``output`` is given."""
    told = teller(progress, "positions")
    to = None if output is None else os.fspath(output)
    report: PlacesReport = _native.learn_places(_paths(play), passes, seed, to, told)
    return report


class Imitation:
    """A character learned by imitation. ``save`` writes a file that plays as ``NAME=FILE`` in any match or tournament."""

    def __init__(self, character: bytes, report: ImitationReport) -> None:
        self.character, self.report = character, report

    def save(self, path: Path) -> str:
        """Writes the character, and gives the file's name."""
        with open(path, "wb") as file:
            file.write(self.character)
        return os.fspath(path)


def imitate(
    play: Path | Sequence[Path] = (),
    *,
    players: Sequence[str] = (),
    live: str | None = None,
    map: str = "halls",
    seconds: float = 350.0,
    model: str = "arena",
    decisions: int | None = None,
    starts: int = 3,
    iterations: int = 100,
    seed: int = 1,
    progress: Progress = False,
) -> Imitation:
    """Learns a character (CHAMELEON) from recordings of teachers, or with ``live`` while a teacher plays."""
    told = teller(progress, "ticks seen, iterations")
    character, report = _native.imitate(
        _paths(play), list(players), live, map, float(seconds), model, decisions, starts, iterations, seed, told
    )
    return Imitation(character, report)
