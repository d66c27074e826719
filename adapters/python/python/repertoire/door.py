"""Every capability as questions and answers: the doors of ``repertoire ask``, in this process.

The typed classes of the package are made of these where nothing runs per tick. A question and its answer are plain data;
``repertoire.doors()`` describes each with an example and JSON schemas.
"""

from __future__ import annotations

import json
from typing import Any, Mapping

from . import _native

_LOADED = "it"


def plain(data: Any) -> Any:
    """Arrays and tuples as lists, NumPy numbers as Python's, so that they can be written as JSON."""
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if hasattr(data, "tolist"):
        return data.tolist()
    return data


class Door:
    """A part that can be asked: ``Door("fusion").ask({...})``. What was loaded once can be asked about many times."""

    def __init__(self, name: str, **loaded: Any) -> None:
        self.name = name
        self._session = _native.Session(name)
        self._loaded = bool(loaded)
        if loaded:
            self._answer({"load": loaded, "as": _LOADED})

    def ask(self, question: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Asks; keys may be given as a dict, as keywords, or both."""
        asked = {**(question or {}), **more}
        if self._loaded:
            asked["use"] = _LOADED
        return self._answer(asked)

    def _answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        # NaN is no JSON; Python would write it all the same, and the answer would be about a syntax error.
        try:
            line = json.dumps(plain(asked), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            from .errors import RepertoireError

            raise RepertoireError(f"the question cannot be written: {error}", remedy="finite numbers, names and lists") from error
        answer: dict[str, Any] = json.loads(self._session.answer(line))
        return answer

    def __repr__(self) -> str:
        return f"Door({self.name!r})"
