"""Places from positions, and distances between habits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .door import Door, plain


@dataclass(frozen=True)
class Gas:
    """A growing neural gas: nodes, and edges as (from, to, age)."""

    nodes: npt.NDArray[np.float64]
    edges: list[tuple[int, int, int]]


def growing_gas(points: Any, edges: str = "fritzke", **params: float) -> Gas:
    """Learns nodes from positions in the order in which they were seen (Tencé 2011, figure 3.12)."""
    answer = Door("gng").ask(points=plain(points), edges=edges, **({"params": params} if params else {}))
    nodes = np.asarray(answer["nodes"], dtype=np.float64).reshape(-1, 3)
    return Gas(nodes, [(a, b, age) for a, b, age in answer["edges"]])


def earth_movers_distance(p: Any, q: Any, circular: bool = True) -> float:
    """How far one histogram must be carried to become the other, in bins.

    >>> earth_movers_distance([1, 0, 0, 0], [0, 0, 0, 1])
    1.0
    """
    return float(Door("emd").ask(p=plain(p), q=plain(q), circular=circular)["distance"])
