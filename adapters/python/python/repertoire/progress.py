"""Progress of long work: a bar in a notebook or a terminal, or a function of your own."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Callable, Union

#: ``False`` shows nothing, ``True`` a bar, a function is called with what is done and the total (0 if it is not known).
Progress = Union[bool, Callable[[int, int], None]]


def teller(progress: Progress, what: str) -> Callable[[int, int], None] | None:
    """The function that is called as work goes on; None if nothing is to be told."""
    if callable(progress):
        return progress
    if not progress:
        return None
    return _bar(what)


def _bar(what: str) -> Callable[[int, int], None]:
    try:
        with warnings.catch_warnings():
            # Without its widgets tqdm warns and shows text, which is what is wanted then.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return _plain(what)
    bar: Any = None

    def tell(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(desc=what, total=total or None)
        bar.update(done - bar.n)
        if total and done >= total:
            bar.close()

    return tell


def _plain(what: str) -> Callable[[int, int], None]:
    last = -1

    def tell(done: int, total: int) -> None:
        nonlocal last
        if done != last:
            last = done
            of = f" of {total}" if total else ""
            end = "\n" if total and done >= total else ""
            print(f"\r{what}: {done}{of}", end=end, file=sys.stderr, flush=True)

    return tell
