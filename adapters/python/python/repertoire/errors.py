"""What is raised when something is refused."""

from __future__ import annotations


class RepertoireError(ValueError):
    """Something was refused: what is wrong, where, and what would be right.

    ``what`` says which condition was broken. ``file``, ``line`` and ``column`` (counted from 1) are there when the mistake is
    in a text that somebody wrote; ``remedy`` when there is one to tell.
    """

    what: str
    file: str | None
    line: int | None
    column: int | None
    remedy: str | None

    def __init__(
        self,
        what: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        remedy: str | None = None,
    ) -> None:
        self.what, self.file, self.line, self.column, self.remedy = what, file, line, column, remedy
        place = ":".join(str(part) for part in (file, line, column) if part is not None)
        # Messages of files begin with the file already.
        start = "" if not place or what.startswith(place) else f"{place}: "
        super().__init__(start + what + (f"\n  remedy: {remedy}" if remedy else ""))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.what, self.file, self.line, self.column, self.remedy))
