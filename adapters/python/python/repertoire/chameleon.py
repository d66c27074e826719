"""CHAMELEON: characters that attend, decide and act, learned by EM. The tables themselves; ``imitate`` learns whole characters."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from .door import Door, plain


class Chameleon:
    """Tables of attention, decisions and actions (``cards`` and ``params`` as in ``repertoire ask chameleon``)."""

    def __init__(self, cards: Mapping[str, Any], params: Mapping[str, Any]) -> None:
        self.cards, self.params = dict(cards), dict(params)
        self._door = Door("chameleon", cards=plain(self.cards), params=plain(self.params))

    def learn(self, sequences: Sequence[Mapping[str, Any]], iterations: int = 10, attention: str = "ml") -> Chameleon:
        """The tables after so many iterations of EM; ``attention`` is ``ml``, ``fixed``, or a pair for a gamma prior."""
        answer = self._door.ask(sequences=plain(list(sequences)), iterations=iterations, attention=attention)
        return Chameleon(self.cards, answer.get("params") or self.params)

    def explain(self, sequences: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """How probable the play is, and what was probably attended to and decided at each tick."""
        return self._door.ask(sequences=plain(list(sequences)), iterations=0)
