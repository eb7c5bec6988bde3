"""A model → what only shows in play: for each number of players a few games are tried, within bounds."""

from __future__ import annotations

import re
from dataclasses import replace

from teufelswerk.base import chance
from teufelswerk.base.budget import Deadline, OutOfTime
from teufelswerk.base.diagnostics import Diagnostic, Span, limited
from teufelswerk.base.limits import MAX_MOVES_IN_GAME, MAX_WORK, SECONDS_OF_TRIALS
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.model import Model

GAMES = 3


def try_out(rules: Model, games: int = GAMES, seconds: float = SECONDS_OF_TRIALS) -> list[Diagnostic]:
    """What goes wrong when the game is played; each problem once. A game that takes long is not played to its end."""
    found: list[Diagnostic] = []
    failing: dict[tuple[str, Span | None], list[int]] = {}
    counts = range(rules.min_players, rules.max_players + 1)
    whole = Deadline(seconds)
    for number, players in enumerate(counts, 1):
        try:
            # What fewer players have not used up is left for more of them.
            trial = _Trial(rules, players, Deadline(whole.left - seconds * (1 - number / len(counts))))
            for seed in range(games):
                trial.play(seed, everything=seed > 0)
        except OutOfTime:
            continue
        except RuleError as problem:
            key = problem.diagnostic.code, problem.diagnostic.span
            if key not in failing:
                found.append(problem.diagnostic)
            failing.setdefault(key, []).append(players)
        except RecursionError:
            message = Text("the rules are too deeply nested to be played")
            found.append(Diagnostic("too-deep", message, rules.steps["game"].span))
    return limited([_with_circumstances(d, rules, failing.get((d.code, d.span), [])) for d in found])


def _with_circumstances(diagnostic: Diagnostic, rules: Model, failing: list[int]) -> Diagnostic:
    """With how many players it goes wrong, if not with all, and where a variant has changed what the line names."""
    span = diagnostic.span
    if span is None:
        return diagnostic
    label, related = diagnostic.label, diagnostic.related
    if failing and len(failing) <= rules.max_players - rules.min_players:
        label = Text("with {players:or} players", players=[str(players) for players in failing])
    words = set(re.findall(r"[a-z][\w-]*", span.source.lines[span.line - 1]))
    for name, definition in rules.definitions.items():
        if name in words and span.source is not rules.source and definition.span.source is rules.source:
            related = (*related, (definition.span, Text("the variant changes it here")))
    return replace(diagnostic, label=label, related=related)


class _Trial:
    """Games for one number of players, with all that a player would see and read on the way."""

    def __init__(self, rules: Model, players: int, deadline: Deadline) -> None:
        self.game = Game(rules, players, deadline, MAX_WORK)

    def play(self, seed: int, everything: bool) -> None:
        """Plays a game with random moves; with `everything`, each position is also shown and told."""
        game, rng = self.game, chance.stream(seed, 1)
        m = game.machine(seed)
        m.log = [] if everything else None
        game.run(m)
        for _ in range(MAX_MOVES_IN_GAME):
            if m.winners is not None:
                return
            moves = game.choices(m)
            if everything:
                self.show(m)
                m.log = []
            rng, index = chance.below(rng, len(moves))
            game.make(m, moves[index])

    def show(self, m: Machine) -> None:
        """What the player whose turn it is sees and is asked."""
        seat = self.game.mover(m)
        self.game.view(self.game.freeze(m), seat)
        for verb in (verb for group in self.game.turn(m).groups for verb in group):
            self.game.program.teller.invitation(m, verb, seat)
