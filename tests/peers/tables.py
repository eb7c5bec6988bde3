"""All tables: a game or variant → how it is called elsewhere. A module in `games/` comes in by itself."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from shutil import copy
from tempfile import TemporaryDirectory

from shipped import PATHS
from teufelswerk.base.find_files import SUFFIX
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import Model

from peers.replaying import Peer

HERE = Path(__file__).parent / "games"
PEERS: dict[str, Peer] = {}
"""By the name of the game or variant, and how many play, where more than one table is compared: `goofspiel for 3`."""
for _found in iter_modules([str(HERE)]):
    PEERS.update(import_module(f"peers.games.{_found.name}").PEERS)


def rules(name: str) -> Model:
    """A shipped game, a fixture, a variant, or one beside the tables: what they play where books say otherwise.

    How many play may stand behind it, as in `hanabi 5`, so that several tables of a game are compared.
    """
    name = name.split()[0]
    if not (HERE / f"{name}{SUFFIX}").is_file():
        return load_game(str(PATHS.get(name, name)))
    with TemporaryDirectory() as folder:
        # a variant finds its game in the same folder
        for path in (*PATHS.values(), *HERE.glob(f"*{SUFFIX}")):
            copy(path, folder)
        return load_game(f"{folder}/{name}{SUFFIX}")
