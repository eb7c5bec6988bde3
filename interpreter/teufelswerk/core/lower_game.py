"""A model → its core: statements, moves and steps as forms, once for a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from teufelswerk import model
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_expressions import Lowering
from teufelswerk.core.walk import is_simple
from teufelswerk.model import DOWN, NUMBER, PLAYER, SIDE, TRUTH, UP
from teufelswerk.model.walk import laps_with_next

NOTHING_CHOSEN = -1
"""Stands for no move at all in what notes which one was chosen."""


def core_of(rules: model.Model) -> s.Core:
    """What a model means. It is worked out once and kept with the model."""
    found = vars(rules).get("_core")
    if found is None:
        found = vars(rules)["_core"] = _GameLowering(rules).core()
    assert isinstance(found, s.Core)
    return found


def asked_of(rules: model.Model, seats: Mapping[str, int] | None = None) -> Lowering:
    """Makes forms of what is asked about a game from outside: figures, examples. It shares the game's definitions."""
    return Lowering(rules, seats, core_of(rules).shared)


class _GameLowering(Lowering):
    def __init__(self, rules: model.Model) -> None:
        super().__init__(rules)
        self.steps: dict[str, s.Step] = {}
        self.persistent = list(rules.persistent_slots)
        self.laps = laps_with_next(rules)
        self.in_move = False

    def core(self) -> s.Core:
        rules = self.rules
        game = s.Call(-1, rules.steps["game"].span, (), self.step("game"), None)
        for name in rules.steps:  # also those that the game never comes to: an example may
            self.step(name)
        moves = {name: self.move(move) for name, move in rules.moves.items()}
        definitions = {name: self.definition(d) for name, d in rules.definitions.items() if d.second is None}
        initial = {
            name: self.needed(keep.initial) for name, keep in rules.remembered.items() if keep.initial is not None
        }
        # a branch may be told in words that name the very definition it belongs to, so they come last
        reasons = {id: tuple(map(self.sentence, branch.told)) for id, branch in self.branches.items()}
        persistent, shared = tuple(self.persistent), self.definitions
        return s.Core(
            rules, game, self.steps, moves, definitions, self.out, initial, reasons, self.slots, persistent, shared
        )

    def kept_slot(self) -> int:
        """A slot of a loop, which lives on from one decision to the next."""
        slot = self.new_slot()
        self.persistent.append(slot)
        return slot

    def step(self, name: str) -> s.Step:
        if name not in self.steps:
            step = self.rules.steps[name]
            self.steps[name] = made = s.Step(name, step.slot, (), step.span)
            made.body = self.block(step.body)
        return self.steps[name]

    # ---- moves ------------------------------------------------------------------------------------------------------

    def move(self, move: model.Move) -> s.Move:
        choices = tuple(map(self.choice, move.choices))
        conditions = tuple(self.must(must, guards) for must, guards in move.musts)
        self.in_move = True
        effects = self.block(move.effects)
        self.in_move = False
        return s.Move(move.name, move.slot, choices, conditions, effects, move.is_pass, move.span)

    def choice(self, choice: model.Choose) -> s.Choice:
        type = choice.source.type.one()
        items = self.items(choice.source) if choice.upper is None else None
        least, most = choice.amount or (None if items else choice.source, choice.upper)
        low = self.needed(least) if least else None
        high = low if most is least else self.needed(most) if most else None
        alike = items is not None and type.kind == "card" and self.has_copies
        return s.Choice(choice.name, choice.slot, items, low, high, type, choice.span, alike)

    def must(self, must: model.Must, guards: tuple[tuple[model.Expr, bool], ...]) -> s.Condition:
        """A condition, which holds anyway where an `if` around it does not."""
        holds = self.condition(must.condition)
        for guard, wanted in reversed(guards):
            condition = self.condition(guard)
            lifted = f.Not(TRUTH, guard.span, condition) if wanted else condition
            holds = f.Logic(TRUTH, must.span, "or", lifted, holds)
        return s.Condition(holds, must.if_able, must, self.told(must))

    # ---- statements -------------------------------------------------------------------------------------------------

    def told(self, statement: model.Statement) -> tuple[f.Sentence, ...]:
        return tuple(map(self.sentence, statement.told))

    def block(self, body: model.Block) -> s.Block:
        return tuple(part for statement in body for part in (*self.before(statement), self.statement(statement)))

    def before(self, statement: model.Doing) -> s.Block:
        """What is done right before a statement: where a loop ends by what is chosen in it, nothing has been chosen."""
        if not isinstance(statement, (model.Until, model.GoRound)) or statement.chosen < 0:
            return ()
        nothing = f.Constant(NUMBER, statement.span, NOTHING_CHOSEN)
        return (s.Let(statement.id, statement.span, (), statement.chosen, nothing),)

    def statement(self, statement: model.Doing) -> s.Doing:
        head = statement.id, statement.span, self.told(statement)
        match statement:
            case model.Goes():
                return s.Goes(*head, self.going(statement.what), self.needed(statement.to))
            case model.Turns():
                return self.turns(statement)
            case model.Deal():
                amount = self.needed(statement.amount) if statement.amount else None
                up_to = statement.portion == "up_to"
                return s.Deal(*head, amount, up_to, self.needed(statement.source), self.places(statement.to))
            case model.Shuffle():
                return s.Shuffle(*head, self.needed(statement.place))
            case model.Becomes():
                value = statement.value
                new = self.expr(value) if statement.target.keep.type.optional else self.needed(value)
                return s.Becomes(*head, self.kept(statement.target), new)
            case model.Pays():
                payer, receiver = self.kept(statement.payer), self.kept(statement.receiver)
                return s.Pays(*head, payer, self.needed(statement.amount), receiver, statement.paid_slot)
            case model.SetLocal():
                value = statement.value  # a set that is not there has no members
                return s.Let(*head, statement.slot, self.items(value) if value.type.many else self.needed(value))
            case model.Tell():
                return s.Tell(*head)
            case model.Turn():
                return s.Turn(*head, self.needed(statement.player), statement.groups, statement.chosen)
            case model.Call():
                argument = self.needed(statement.argument) if statement.argument else None
                return s.Call(*head, self.step(statement.step), argument)
            case model.Repeat():
                left = self.kept_slot()
                return s.Repeat(*head, self.needed(statement.times), left, self.block(statement.body))
            case model.Until():
                laps = self.kept_slot()
                return s.Until(*head, self.condition(statement.condition), laps, self.block(statement.body))
            case model.Each():
                return self.each(statement)
            case model.GoRound():
                return self.go_round(statement)
            case model.If():
                then, otherwise = self.block(statement.then), self.block(statement.otherwise)
                return s.Branch(*head, self.condition(statement.condition), then, otherwise, statement.else_id)
            case model.Wins():
                criteria = tuple((extreme == "highest", self.needed(by)) for extreme, by in statement.criteria)
                return s.Wins(*head, self.winners(statement), criteria, statement.lose, statement.slot)
            case _:
                assert_never(statement)

    def going(self, what: model.Expr) -> f.Items:
        """The cards that go."""
        if what.type.many:
            return self.cards(what)
        one = f.Only(what.type.all(), what.span, self.needed(what))
        return f.CardsIn(self.cards_type, what.span, one) if what.type.kind == "place" else one

    def turns(self, statement: model.Turns) -> s.Each:
        """Each of the cards that lies the other way round where cards are turned."""
        span, slot, what = statement.span, statement.slot, statement.what
        alone = self.expr(what) if what.type.kind == "card" and not what.type.many else None
        items = self.going(what) if alone is None else f.Only(what.type.all(), what.span, alone)
        if isinstance(alone, f.Nth) and alone.position in (0, -1):  # the last one turns if there is one
            one = f.Constant(NUMBER, what.span, 1)
            items = f.Few(what.type.all(), what.span, alone.items, one, alone.position < 0)
        assert self.rules.faces is not None
        face = f.Kept(NUMBER, span, self.rules.faces, f.Slot(items.type.one(), span, slot))
        before, after = (f.Constant(NUMBER, span, n) for n in ((DOWN, UP) if statement.up else (UP, DOWN)))
        fitting = f.Fitting(items.type, span, items, slot, f.Compare(TRUTH, span, "is", face, before))
        turned = s.Becomes(statement.id, span, (), face, after)
        return s.Each(statement.id, span, self.told(statement), slot, fitting, self.new_slot(), (turned,))

    def winners(self, statement: model.Wins) -> f.Items:
        """Those among whom it is decided who wins or loses: everyone at the table, also who is out, or those named."""
        who = statement.who
        if who is None:
            return f.Players(PLAYER.all(), statement.span, None)
        if who.type.one().same(SIDE):
            return self.players_of(who)
        return self.items(who) if who.type.many else f.Only(PLAYER.all(), who.span, self.needed(who))

    def players_of(self, who: model.Expr) -> f.Items:
        """All players of a side, or of several."""
        span, slot = who.span, self.new_slot()
        assert self.rules.side is not None
        theirs = f.Defined(SIDE, span, self.definition(self.rules.side), f.Slot(PLAYER, span, slot))
        if who.type.many:
            one = self.new_slot()
            same: f.Expr = f.Compare(TRUTH, span, "is", f.Slot(SIDE, span, one), theirs)
            same = f.Some(TRUTH, span, f.Fitting(SIDE.all(), span, self.items(who), one, same))
        else:
            same = f.Compare(TRUTH, span, "is", theirs, self.needed(who))
        return f.Fitting(PLAYER.all(), span, f.Players(PLAYER.all(), span, None), slot, same)

    def each(self, statement: model.Each) -> s.Doing:
        head, items = (statement.id, statement.span, self.told(statement)), self.items(statement.over)
        if statement.at_once:
            turn = self.statement(statement.body[0])
            assert isinstance(turn, s.Turn)
            return s.AtOnce(*head, statement.slot, items, turn)
        rest = self.kept_slot()
        body = self.block(statement.body)
        if self.in_move or all(map(is_simple, body)):
            self.persistent.remove(rest)  # nobody decides before all have had their turn
        return s.Each(*head, statement.slot, items, rest, body)

    def go_round(self, statement: model.GoRound) -> s.GoRound:
        head, outer = (statement.id, statement.span, self.told(statement)), self.idle
        first = self.still_in(self.needed(statement.first), statement.first.span)
        idle, laps = self.kept_slot(), self.kept_slot()
        self.idle = idle
        condition = self.condition(statement.condition)
        self.idle = outer
        begin, following = self.whose_turn(statement)
        body = self.block(statement.body)
        return s.GoRound(*head, statement.slot, first, condition, laps, idle, self.who_is_out, begin, following, body)

    def whose_turn(self, lap: model.GoRound) -> tuple[s.Becomes | None, f.Expr]:
        """What is done about who is next as a turn begins, and whose turn comes after one.

        Until the rules say otherwise that is the next seat, whoever is out; these are passed over once it is over.
        """
        span, here = lap.span, f.Slot(PLAYER, lap.span, lap.slot)
        keep = self.rules.keeps.get(model.NEXT)
        if keep is None or lap.id not in self.laps:
            return None, f.Neighbour(PLAYER, span, 1, here, self.who_is_out)
        kept = model.KeepOf(PLAYER, span, keep, None)
        left = f.Neighbour(PLAYER, span, 1, here, None)
        return s.Becomes(lap.id, span, (), self.kept(kept), left), self.next_player(kept)
