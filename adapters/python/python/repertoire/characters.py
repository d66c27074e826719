"""Characters with motivations, in rooms; what single motivations are worth."""

from __future__ import annotations

from typing import Any, Mapping

from .door import Door
from .reports import Answer


def motivation(evaluator: str, **looks_at: Any) -> float:
    """What one evaluator of a profile says.

    >>> round(motivation("pref", pi=[1.1, 1.1, 2, 1.1]), 3)
    1.239
    """
    return float(Door("motivation").ask(evaluator=evaluator, **looks_at)["value"])


class Rooms:
    """A scenario of the rooms, and a profile: names of shipped ones, or dicts as in their files.

    >>> life = Rooms("6.1.2-left", {"preferences": {"break": 2, "unlock": 0.8}}).run(seed=1, steps=30)
    >>> len(life["actions"]) > 0
    True
    """

    def __init__(self, scenario: str | Mapping[str, Any], profile: str | Mapping[str, Any] | None = None) -> None:
        self._door = Door("rooms", scenario=scenario, profile=profile)

    def run(self, seed: int = 1, steps: int | None = None) -> Answer:
        """What the character does step by step, and what each deed was worth to it."""
        return Answer(self._door.ask(seed=seed, steps=steps))
