"""Card games as text files.

    rules = teufelswerk.load_game("my-game.rules.md")  # a path, or the name of a game that comes along
    game = teufelswerk.Game(rules, players=4)
    state = game.start(seed=7)
    while not game.is_over(state):
        moves = game.legal_moves(state)
        state = game.apply(state, moves[0])
    print(game.outcome(state).winners)

A `State` is plain data: compare it, hash it, keep it. `game.text(state)` writes it as one line and `game.parse(line)`
reads it back; `game.json` and `game.parse_json` do the same with JSON. `game.view(state, seat)` is what one player may
see; give views, never states, to screens and bots. `game.apply(state, move, log)` adds what happened to a list of
`Event`s, each with the statement that caused it and, if there is one, the sentence that tells it. A move that the rules
refuse raises `IllegalMove`, with the reason and what would be allowed; a position for which the rules name no move
raises `RuleGap`; anything else that a rule file asks in vain raises `RuleError`; a file that cannot be used raises
`RuleFileError` with all its diagnostics.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teufelswerk.base.diagnostics import Diagnostic, RuleFileError
    from teufelswerk.base.texts import Text
    from teufelswerk.engines.steps import Steps
    from teufelswerk.interpreter.game import Game, IllegalMove, Outcome
    from teufelswerk.interpreter.machine import Event, RuleError, RuleGap
    from teufelswerk.interpreter.state import Move, State, Unreadable
    from teufelswerk.interpreter.view import View
    from teufelswerk.loading.library import load
    from teufelswerk.loading.model_cache import load_game

__all__ = [
    "Diagnostic",
    "Event",
    "Game",
    "IllegalMove",
    "Move",
    "Outcome",
    "RuleError",
    "RuleFileError",
    "RuleGap",
    "State",
    "Steps",
    "Text",
    "Unreadable",
    "View",
    "load",
    "load_game",
]
__version__ = "0.1.0"

_HOMES = {
    "base.diagnostics": ("Diagnostic", "RuleFileError"),
    "engines.steps": ("Steps",),
    "interpreter.game": ("Game", "IllegalMove", "Outcome"),
    "loading.library": ("load",),
    "interpreter.machine": ("Event", "RuleError", "RuleGap"),
    "loading.model_cache": ("load_game",),
    "interpreter.state": ("Move", "State", "Unreadable"),
    "base.texts": ("Text",),
    "interpreter.view": ("View",),
}


def __dir__() -> list[str]:
    return sorted(["__version__", *__all__])


def __getattr__(name: str) -> Any:
    """Imports what is asked for only then: a program that shows one thing does not load them all."""
    for module, names in _HOMES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"teufelswerk.{module}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
