"""Plans: for one character, or for a town of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from .door import Door, plain


@dataclass(frozen=True)
class Action:
    """Changes variable ``var`` from ``pre`` (None for any value) to ``post``, while the pairs of ``prevail`` hold."""

    var: int
    pre: int | None
    post: int
    prevail: Sequence[tuple[int, int]] = ()
    cost: int = 1


@dataclass(frozen=True)
class Plan:
    """Actions by number, or None and why there are none."""

    actions: list[int] | None
    tier: str | None = None
    assumed: list[dict[str, Any]] = field(default_factory=list)
    why_not: dict[str, Any] | None = None
    gave_up: bool = False


class Planner:
    """A planning task in SAS+: the sizes of its variables, and its actions.

    >>> lamp = Planner([2], [Action(0, 0, 1)])
    >>> lamp.solve([0], [1]).actions
    [0]
    """

    def __init__(self, sizes: Sequence[int], actions: Sequence[Action]) -> None:
        told = [
            {"var": one.var, "pre": one.pre, "post": one.post, "prevail": plain(list(one.prevail)), "cost": one.cost}
            for one in actions
        ]
        self._door = Door("plan", dom=list(sizes), actions=told)

    def solve(
        self,
        start: Sequence[int | None],
        goal: Sequence[int | None],
        once: Sequence[int | None] = (),
        assume: str = "anything",
        budget: int | None = None,
    ) -> Plan:
        """A plan from what is known to what is wanted; None stands for "not known" and "does not matter"."""
        answer = self._door.ask(
            init=plain(list(start)), goal=plain(list(goal)), once=plain(list(once)), assume=assume, budget=budget
        )
        if "plan" in answer:
            return Plan(list(answer["plan"]), answer["tier"], list(answer.get("assumed") or []))
        return Plan(None, why_not=answer.get("why"), gave_up=bool(answer.get("gave_up")))


@dataclass(frozen=True)
class Plans:
    """The distinct plans of a town, and which of them each character has (None if there is none)."""

    plans: list[list[str]]
    of: list[int | None]
    unsolvable: int
    gave_up: int


class Town:
    """A domain as TOML (or the name of a shipped one), and plans for everybody in it."""

    def __init__(self, domain: str) -> None:
        self._door = Door("population", domain=domain)

    def plan(self, characters: Sequence[Mapping[str, Any]] = (), groups: Sequence[Mapping[str, Any]] = ()) -> Plans:
        """Plans for characters (``class``, ``goal``, ``state`` by name) and groups (``states`` as rows of numbers)."""
        answer = self._door.ask(characters=plain(list(characters)), groups=plain(list(groups)))
        return Plans(answer["plans"], answer["of"], answer["unsolvable"], answer["gave_up"])
