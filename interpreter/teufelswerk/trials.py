"""A model → what only shows in play: for each number of players a few games are tried, within bounds."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from teufelswerk import chance
from teufelswerk.budget import Budgeted
from teufelswerk.diagnostics import Diagnostic, Span, limited
from teufelswerk.effects import Effects
from teufelswerk.game import Game
from teufelswerk.limits import MAX_MOVES_IN_GAME, MAX_WORK
from teufelswerk.machine import Layout, Machine, RuleError
from teufelswerk.model import Model
from teufelswerk.program import Program
from teufelswerk.texts import Text

GAMES = 3
SECONDS = 1.0
LOOKS_AT_THE_CLOCK = 2_000


def try_out(rules: Model, games: int = GAMES, seconds: float = SECONDS) -> list[Diagnostic]:
    """What goes wrong when the game is played; each problem once. A game that takes long is not played to its end."""
    found: list[Diagnostic] = []
    failing: dict[tuple[str, Span | None], list[int]] = {}
    counts = range(rules.min_players, rules.max_players + 1)
    started = time.thread_time()
    for number, players in enumerate(counts, 1):
        deadline = started + seconds * number / len(counts)
        try:
            trial = _Trial(rules, players, deadline)
            for seed in range(games):
                trial.play(seed, everything=seed > 0)
        except _OutOfTime:
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


class _OutOfTime(Exception):
    """The time for this number of players is over, and nothing has gone wrong so far."""


class _Trial:
    """Games for one number of players, with all that a player would see and read on the way."""

    def __init__(self, rules: Model, players: int, deadline: float) -> None:
        self.game = Game(rules, players)
        self.evaluator = _Watched(self.game.layout, deadline)
        self.game.program = Program(Effects(self.evaluator))

    def play(self, seed: int, everything: bool) -> None:
        """Plays a game with random moves; with `everything`, each position is also shown and told."""
        game, rng = self.game, chance.stream(seed, 1)
        m = game.machine(seed)
        self.evaluator.rest()
        m.log = [] if everything else None
        game.run(m)
        for _ in range(MAX_MOVES_IN_GAME):
            self.evaluator.rest()
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
            move = self.game.rules.moves[verb]
            if move.invitation:
                m.slots[move.slot] = seat
                self.game.program.teller.sentence(move.invitation)(m)


class _Watched(Budgeted):
    """An evaluator that also stops when it takes too long."""

    def __init__(self, layout: Layout, deadline: float) -> None:
        super().__init__(layout, MAX_WORK)
        self.deadline = deadline
        self.next_look = self.first_look = LOOKS_AT_THE_CLOCK

    def rest(self) -> None:
        super().rest()
        self.look_at_the_clock()

    def look(self, span: Span) -> None:
        self.next_look = self.work + LOOKS_AT_THE_CLOCK
        super().look(span)
        self.look_at_the_clock()

    def look_at_the_clock(self) -> None:
        if time.thread_time() > self.deadline:
            raise _OutOfTime
