"""Towns whose inhabitants want, plan, wait in line, fail and plan again."""

from __future__ import annotations

from typing import Any, Sequence

from .door import Door
from .reports import Report


class TownReport(Report):
    """What came of a town so far: goals met, plans, waiting, and why plans failed."""


class InhabitantReport(Report):
    """Why an inhabitant does what they do: needs, goal, the plan with the reason of each step, what last went wrong."""

    @property
    def doing(self) -> str:
        """What they are doing, in words."""
        return str(self._data["doing"])

    @property
    def plan(self) -> list[tuple[str, str]]:
        """What is left of the plan: each step with its reason."""
        return [(step["action"], step["reason"]) for step in self._data["plan"]]


class LivingTown:
    """A town that lives: shipped (``"western"``, ``"station"``), or TOML text.

    >>> town = LivingTown("western", inhabitants=60, seed=1)
    >>> town.until("day 1 10:30")["time"]
    'day 1 10:30'
    >>> noon = town.until("day 1 12:00")["state_hash"]
    >>> _ = town.until("day 1 15:00")
    >>> town.until("day 1 12:00")["state_hash"] == noon  # the past comes back to the bit
    True

    ``without`` takes something away from everybody: ``"plans"``, ``"replans"`` or ``"families"``.
    """

    def __init__(
        self,
        town: str = "western",
        inhabitants: int | None = None,
        seed: int = 1,
        without: Sequence[str] = (),
    ) -> None:
        self._door = Door("town", town=town, inhabitants=inhabitants, seed=seed, without=list(without))

    def until(self, moment: str | int, events: Sequence[str] = ()) -> TownReport:
        """Lives until a moment (``"day 1 10:30"``, or minutes), or goes back to one; events such as ``"day 1 9:00 dry well 6h"``."""
        return TownReport(self._ask(at=str(moment), events=list(events))["account"])

    @property
    def account(self) -> TownReport:
        """What came of it so far."""
        return TownReport(self._ask()["account"])

    def why(self, who: int) -> InhabitantReport:
        """Why an inhabitant does what they do now."""
        return InhabitantReport(self._ask(why=[who])["why"][0])

    def _ask(self, **asked: Any) -> dict[str, Any]:
        return self._door.ask(**asked)
