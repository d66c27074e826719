"""What a step is worth."""

from __future__ import annotations

from typing import NamedTuple


class Rewards(NamedTuple):
    """Weights of what happened in a step: frags won (lost by a suicide), own deaths, health taken from others, items picked up."""

    frag: float = 1.0
    death: float = -0.5
    damage: float = 0.01
    item: float = 0.0
