"""All tables: a game or variant → how it is called elsewhere. A module beside this one that has `PEERS` comes in."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from shipped import PATHS
from teufelswerk.base.find_files import SUFFIX, variants
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import Model

from peers.replaying import Peer

HERE = Path(__file__).parent
PEERS: dict[str, Peer] = {}
for _found in iter_modules([str(HERE)]):
    PEERS.update(getattr(import_module(f"peers.{_found.name}"), "PEERS", {}) if _found.name != "tables" else {})


def rules(name: str) -> Model:
    """A shipped game, a fixture, a variant, or one beside the tables: what they play where books say otherwise."""
    beside = HERE / f"{name}{SUFFIX}"
    return load_game(str(beside if beside.is_file() else PATHS.get(name, name)))


def is_known(name: str) -> bool:
    return (HERE / f"{name}{SUFFIX}").is_file() or name in PATHS or name in variants()
