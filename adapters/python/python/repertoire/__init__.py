"""Minds for game characters: written as data, taught by playing, inspected at any tick.

>>> import repertoire as rp
>>> villager = rp.Design('''
... name = "villager"
... tasks = ["eat", "work", "flee"]
... stay = 0.7
... sensors.wolf = ["away", "near"]
... likelihood.wolf.away = ["x", "x", 0.02]
... likelihood.wolf.near = [0.01, 0.01, "x"]
... ''')
>>> hob = rp.Mind(villager, seed=42, agent=7)
>>> deeds = [hob.tick({"wolf": "near"}).task for _ in range(20)]
>>> deeds[-1]
'flee'

The same design, seed, agent and senses give the same deeds, to the bit, here, in Rust, in C and on the command line.
"""

from __future__ import annotations

from typing import Any

from . import _native
from ._native import (
    ACTION_NAMES,
    CHARACTERS,
    MAPS,
    OBSERVATION_NAMES,
    Behaviour,
    Deed,
    Design,
    Dynamics,
    Filter,
    Filters,
    Match,
    Mind,
    Population,
    __version__,
    filter_all,
)
from .chameleon import Chameleon
from .characters import Rooms, motivation
from .cluster import believable
from .door import Door
from .errors import RepertoireError
from .places import Gas, earth_movers_distance, growing_gas
from .planning import Action, Plan, Planner, Plans, Town
from .play import Imitation, Recording, imitate, learn_places, record, replay, signature, tournament
from .programs import Factor, HiddenMarkov, Program, deliberate, fuse, laplace, learn_online
from .reports import BelievableCard, CharacterReport, Decision, Report, TournamentReport
from .towns import InhabitantReport, LivingTown, TownReport
from .tracking import Tracker


def doors() -> list[dict[str, Any]]:
    """Every part that can be asked through ``Door``, with examples and JSON schemas."""
    return _native.doors()


__all__ = [
    "ACTION_NAMES",
    "CHARACTERS",
    "MAPS",
    "OBSERVATION_NAMES",
    "Action",
    "Behaviour",
    "BelievableCard",
    "Chameleon",
    "CharacterReport",
    "Decision",
    "Deed",
    "Design",
    "Door",
    "Dynamics",
    "Factor",
    "Filter",
    "Filters",
    "Gas",
    "HiddenMarkov",
    "Imitation",
    "InhabitantReport",
    "LivingTown",
    "Match",
    "Mind",
    "Plan",
    "Planner",
    "Plans",
    "Population",
    "Program",
    "Recording",
    "Report",
    "RepertoireError",
    "Rooms",
    "TournamentReport",
    "Town",
    "TownReport",
    "Tracker",
    "__version__",
    "believable",
    "deliberate",
    "doors",
    "earth_movers_distance",
    "filter_all",
    "fuse",
    "growing_gas",
    "imitate",
    "laplace",
    "learn_online",
    "learn_places",
    "motivation",
    "record",
    "replay",
    "signature",
    "tournament",
]
