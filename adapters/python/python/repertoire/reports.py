"""Results that know their dict, their words and how a notebook shows them."""

from __future__ import annotations

import html
import json
import re
from typing import Any, Iterable, TypeVar

R = TypeVar("R", bound="Report")

#: Colours of a terminal, which a notebook would show as signs.
_COLOURS = re.compile("\x1b\\[[0-9;]*m")


class Report:
    """A result: data, and words for people. ``to_dict()`` has everything; ``str()`` and notebooks show what matters."""

    def __init__(self, data: dict[str, Any], text: str = "") -> None:
        self._data = data
        self._text = _COLOURS.sub("", text)

    @classmethod
    def _of(cls: type[R], json_text: str, text: str) -> R:
        return cls(json.loads(json_text), text)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain Python data."""
        copied: dict[str, Any] = json.loads(json.dumps(self._data))
        return copied

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __str__(self) -> str:
        return self._text or json.dumps(self._data, indent=2)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._data)})"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    def cell(value: object) -> str:
        shown = f"{value:.3f}" if isinstance(value, float) else str(value)
        return f"<td style='text-align:right'>{html.escape(shown)}</td>"

    heads = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(cell(value) for value in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


class BelievableCard(Report):
    """Tencé's ten requirements for a believable character: a number, an interval and a verdict each."""

    @property
    def met(self) -> dict[str, bool | None]:
        """Whether each of ``B1`` to ``B10`` is met; None where it was not measured."""
        return {row["row"]: row["met"] for row in self._data["rows"]}

    def _repr_html_(self) -> str:
        head = ["", "requirement", "number", "low", "high", "met"]
        rows = ([row[key] for key in ("row", "requirement", "number", "low", "high", "met")] for row in self._data["rows"])
        return _table(head, rows)


class CharacterReport(Report):
    """Why a character does what it does: a row for everything that spoke, a column for each task, in nats."""

    @property
    def task(self) -> str | None:
        """The task; None before the first tick."""
        task: str | None = self._data["task"]
        return task

    @property
    def posterior(self) -> dict[str, float]:
        """How probable each task was."""
        return dict(zip(self._data["tasks"], self._data["posterior"]))

    def _repr_html_(self) -> str:
        head = ["nats", *self._data["tasks"]]
        rows: list[list[object]] = [[what, *says] for what, says in self._data["table"]]
        rows.append(["probability", *self._data["posterior"]])
        plan = ", ".join(self._data["plan"])
        told = f"<b>{html.escape(str(self.task))}</b>" + (f", plan: {html.escape(plan)}" if plan else "")
        return f"<p>{told}</p>{_table(head, rows)}"


class Decision(Report):
    """How probable each task is, and why."""

    @property
    def posterior(self) -> dict[str, float]:
        """How probable each task is, in the behaviour's order."""
        return {task: self._data["posterior"][task] for task in self._data["tasks"]}

    @property
    def contradiction(self) -> bool:
        """Whether the sensors ruled out every task, so that what was done before decided alone."""
        return bool(self._data["contradiction"])


class TournamentReport(Report):
    """What came of a tournament: standings with intervals, and every match."""

    @property
    def standings(self) -> list[dict[str, Any]]:
        """How everybody did, best first. The score is the winner's frags minus one's own: 0 is best."""
        standings: list[dict[str, Any]] = self._data["standings"]
        return standings

    @property
    def matches(self) -> list[dict[str, Any]]:
        """Every match, with its seed and the hash of its last state."""
        matches: list[dict[str, Any]] = self._data["matches"]
        return matches

    def _repr_html_(self) -> str:
        head = ["", "score", "±", "wins", "frags", "deaths", "accuracy"]
        rows = []
        for one in self.standings:
            score = one["score"]
            half = score.get("half_width") if isinstance(score, dict) else None
            shown: object = "" if half is None else half
            rows.append([one["name"], score["mean"], shown, one["wins"], one["frags"], one["deaths"], one["accuracy"]])
        return _table(head, rows)


class RecordingReport(Report):
    """A recording that was written: its file, how long it is, and the hash of its last state."""

    @property
    def file(self) -> str:
        """The Parquet file: Polars, pandas and DuckDB open it, a row for each character and tick."""
        return str(self._data["file"])


class ReplayReport(Report):
    """Whether a recording's commands lead to the same world again."""

    @property
    def agrees(self) -> bool:
        """Whether every hash and every percept agrees."""
        return bool(self._data["agrees"])


class SignatureReport(Report):
    """How players move, as histograms of angles, and how far they are apart, in degrees."""


class PlacesReport(Report):
    """Places and links learned from where players walked, map by map."""


class ImitationReport(Report):
    """How well a character learned by imitation explains what its teacher did."""


class LearningReport(Report):
    """From how many recordings, lives and ticks something was learned, and of whom."""


class Answer(Report):
    """The answer of a door."""
