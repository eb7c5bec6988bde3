"""Statement nodes → typed statements: what may stand in a step, and what happens in a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Span, nearest
from teufelswerk.base.texts import Text
from teufelswerk.checker.expressions import Expressions
from teufelswerk.checker.loops import Loops
from teufelswerk.checker.places import words_at
from teufelswerk.checker.scope import Scope, Skip, announced, everything_said, spoiled_by
from teufelswerk.checker.sentences import Sentences
from teufelswerk.model import NUMBER, PLAYER, SIDE, Expr
from teufelswerk.syntax import nodes

FIRST_WORDS = ("shuffle", "choose", "deal", "repeat", "each", "if", "else")
"""Keywords that a statement can begin with."""


class Statements:
    """Turns the bodies of steps and moves into typed statements."""

    def __init__(self, expressions: Expressions, sentences: Sentences) -> None:
        self.expressions = expressions
        self.symbols = expressions.symbols
        self.sentences = sentences
        self.section = 0
        self.in_move = False

    def step(self, node: nodes.Step, section: int) -> model.Step:
        self.section, self.in_move = section, False
        scope, parameter, slot = replace(self.expressions.everywhere(), random=True, happening=True), None, -1
        if node.parameter:
            parameter = self.expressions.thing(node.parameter)
            slot = self.expressions.slot(persistent=True)
            local = model.Local(parameter, node.parameter.span, slot, node.parameter.text)
            scope = scope.with_local(node.parameter.text, local)
        body = self.block(node.body, scope)
        return model.Step(node.name.text, parameter, slot, body, node.name.span, section)

    def tell(self, told: Iterable[nodes.Sentence], scope: Scope) -> tuple[model.Sentence, ...]:
        return tuple(self.sentences.sentence(sentence, scope, self.section) for sentence in told)

    # ---- statements -------------------------------------------------------------------------------------------------

    def block(self, body: Sequence[nodes.Statement], scope: Scope) -> model.Block:
        out: list[model.Doing] = []
        for number, node in enumerate(body):
            try:
                if isinstance(node, nodes.Turn):
                    scope = self.noted(node, body[number + 1 :], scope)
                statement, scope = self.statement(node, scope)
                out.append(statement)
            except Skip:
                scope = spoiled_by(node, scope)
        return tuple(out)

    def noted(self, turn: nodes.Turn, after: Sequence[nodes.Statement], scope: Scope) -> Scope:
        """The scope with what is noted of a turn, if something after it in the block asks which move was chosen."""
        verbs = {word.text for group in turn.groups for word in group}
        ending = next((slot for verb, slot in scope.ending.items() if verb in verbs), None)
        if ending is not None:
            return replace(scope, chosen={**scope.chosen, **dict.fromkeys(verbs, ending)})
        asked = (item for item in everything_said(tuple(after)) if isinstance(item, nodes.WasChosen))
        if not any(item.verb.text in verbs for item in asked):
            return scope
        slot = self.expressions.slot(persistent=True)
        return replace(scope, chosen={**scope.chosen, **dict.fromkeys(verbs, slot)})

    def ended_by(self, loop: nodes.Until | nodes.GoRound, scope: Scope) -> tuple[Scope, int]:
        """The scope of a loop that ends by what is chosen in it, and the slot that notes it; -1 if none is needed."""
        asked = {item.verb.text for item in everything_said(loop.condition) if isinstance(item, nodes.WasChosen)}
        turns = (item for item in everything_said(loop.body) if isinstance(item, nodes.Turn))
        offers = [{word.text for group in turn.groups for word in group} for turn in turns]
        offered = [verbs for verbs in offers if verbs & asked]
        if not offered:
            return scope, -1
        slot = self.expressions.slot(persistent=True)
        ending = dict.fromkeys(set().union(*offered), slot)
        return replace(scope, chosen={**scope.chosen, **ending}, ending={**scope.ending, **ending}), slot

    def is_known(self, name: str, scope: Scope) -> bool:
        return name in self.symbols.all_names() or name in scope.locals or name in scope.spoiled

    def only_in_step(self, span: Span) -> None:
        if self.in_move:
            help = Text("put it into the step that asks for the move")
            message = Text("this can stand in a step, but not in a move")
            raise self.expressions.fail("not-in-move", message, span, help=help)

    def place(self, node: nodes.Expr, scope: Scope) -> Expr:
        value = self.expressions.expr(node, scope)
        if value.type.kind != "place" or value.type.many:
            message = Text("a place is needed here, not {found}", found=self.expressions.type_name(value.type))
            raise self.expressions.fail("wrong-type", message, node.span)
        return value

    def statement(self, node: nodes.Statement, scope: Scope) -> tuple[model.Doing, Scope]:
        """The typed statement, and the scope for what follows it."""
        made = self.expressions
        id, span = made.id(), node.span
        match node:
            case nodes.Tell():
                return model.Tell(id, span, self.tell(node.told, scope)), scope
            case nodes.Choose() | nodes.Must():
                message = Text("choices and conditions stand in a move, not in a step")
                raise made.fail("only-in-move", message, span, help=Text("declare a move, such as `player plays:`"))
            case nodes.Local():
                self.not_kept(node.name)
                value_node, told_nodes = announced(node.value)
                value = made.no_sets(made.expr(value_node, scope, section=self.section), value_node.span)
                slot = made.slot(persistent=not self.in_move)
                local = model.Local(value.type, node.name.span, slot, node.name.text)
                inner = scope.with_local(node.name.text, local, in_sight=False)
                return model.SetLocal(id, span, self.tell(told_nodes, inner), slot, value), inner
            case nodes.Goes():
                return self.goes(node, scope, id), scope
            case nodes.Turns():
                return self.turns(node, scope, id), scope
            case nodes.Becomes():
                return self.becomes(node, scope, id), scope
            case nodes.Pays():
                return self.pays(node, scope, id), scope
            case nodes.Deal():
                return self.deal(node, scope, id), scope
            case nodes.Shuffle():
                self.only_in_step(span)
                place = self.place(node.place, scope)
                return model.Shuffle(id, span, self.tell(node.told, scope), place), scope
            case nodes.If():
                return self.if_(node, scope, id), scope
            case nodes.Each():
                return self.each(node, scope, id), scope
            case nodes.Call():
                return self.call(node, scope, id), scope
        self.only_in_step(span)
        match node:
            case nodes.Turn():
                return self.turn(node, scope, id), scope
            case nodes.Repeat():
                times = made.want(made.expr(node.times, scope), NUMBER, node.times.span)
                return model.Repeat(id, span, (), times, self.block(node.body, scope)), scope
            case nodes.Until():
                inner, chosen = self.ended_by(node, scope)
                condition = made.truth(node.condition, replace(inner, random=False))
                return model.Until(id, span, (), condition, self.block(node.body, inner), chosen), scope
            case nodes.GoRound():
                first = made.want(made.expr(node.first, scope), PLAYER, node.first.span)
                inner, chosen = self.ended_by(node, scope)
                condition = made.truth(node.condition, replace(inner, random=False, going_round=True))
                slot = made.slot(persistent=True)
                inner = inner.with_local("player", model.Local(PLAYER, span, slot, "player"))
                return model.GoRound(id, span, (), slot, first, condition, self.block(node.body, inner), chosen), scope
            case nodes.Wins():
                return self.wins(node, scope, id), scope
            case _:
                assert_never(node)

    def cards(self, node: nodes.Expr, scope: Scope, otherwise: Text) -> Expr:
        """A card, several, or all in a place."""
        what = self.expressions.expr(node, scope)
        if what.type.kind == "end":
            what = self.expressions.card_at(what)
        if what.type.kind not in ("card", "place"):
            message = Text(otherwise.msgid, found=self.expressions.type_name(what.type))
            raise self.expressions.fail("wrong-type", message, node.span)
        return what

    def goes(self, node: nodes.Goes, scope: Scope, id: int) -> model.Doing:
        what = self.cards(node.what, scope, Text("only cards can go to a place, not {found}"))
        to = self.expressions.expr(node.to, scope)
        if to.type.many or to.type.kind not in ("place", "end"):
            message = Text(
                "cards go to a place or to an end, not to {found}", found=self.expressions.type_name(to.type)
            )
            words = node.to.span.source.lines[node.to.span.line - 1][node.to.span.column - 1 : node.to.span.end - 1]
            own = [f"`{name} of {words}`" for name, place in self.symbols.places.items() if _is_of_players(place)]
            help = Text("write {places:or}", places=own) if to.type.same(PLAYER) and own else None
            raise self.expressions.fail("wrong-type", message, node.to.span, help=help)
        if isinstance(to, model.PlaceHolding) and self.expressions.same_card(what, to.card):
            raise self.expressions.stays(to, node.to.span)
        return model.Goes(id, node.span, self.tell(node.told, scope), what, to)

    def turns(self, node: nodes.Turns, scope: Scope, id: int) -> model.Doing:
        what = self.cards(node.what, scope, Text("only cards are turned up or down, not {found}"))
        self.expressions.turned(what, node.what.span)
        return model.Turns(id, node.span, self.tell(node.told, scope), what, node.up, self.expressions.slot())

    def not_kept(self, name: nodes.Word) -> None:
        """What the game keeps changes with `becomes`; a name of the same spelling would only hide it."""
        if name.text == model.NEXT:
            message = Text("`next` is whoever has the next turn, and `=` only gives a value a name")
            raise self.expressions.fail("kept-already", message, name.span, help=Text("write `next becomes …`"))
        if (kept := self.symbols.keeps.get(name.text)) is not None:
            message = Text("`{name}` is kept, and `=` only gives a value a name", name=name.text)
            help = Text("write `{name} becomes …`", name=name.text)
            related = ((kept.name.span, Text("this line keeps it")),)
            raise self.expressions.fail("kept-already", message, name.span, help=help, related=related)

    def becomes(self, node: nodes.Becomes, scope: Scope, id: int) -> model.Doing:
        if isinstance(node.target, nodes.Name) and not self.is_known(node.target.name, scope):
            name = node.target.name
            help = Text("declare it: `keep {name}: 0` if it is a number, `keep {name}: player` if a player", name=name)
            self.symbols.unknown(name, node.target.span, self.symbols.keeps, help)
            raise Skip
        if isinstance(node.target, nodes.OfEach):  # `score of each player becomes 0`
            above = f"each {words_at(node.target.places.span)}"
            below = f"{node.target.name.text} becomes {words_at(node.value.span)}"
            help = Text("write `{above}`, and below it, indented, `{below}`", above=above, below=below)
            raise self.expressions.fail("two-lines", Text("this takes two lines"), node.span, help=help)
        target = self.expressions.expr(node.target, scope)
        if not isinstance(target, model.KeepOf):
            message = Text("only what the game keeps can become something else")
            raise self.expressions.fail("not-kept", message, node.target.span, help=Text("declare it with `keep`"))
        inner = replace(scope, random=not self.in_move)
        value_node, told_nodes = announced(node.value)
        told = self.tell(told_nodes, scope)
        value = self.expressions.expr(value_node, inner, target.keep.type, self.section)
        value = self.expressions.want(value, target.keep.type, node.value.span)
        return model.Becomes(id, node.span, told, target, value)

    def pays(self, node: nodes.Pays, scope: Scope, id: int) -> model.Doing:
        made = self.expressions
        name = next((k for k in (node.what.text, f"{node.what.text}s") if k in self.symbols.keeps), None)
        if name is None:
            self.symbols.unknown(node.what.text, node.what.span, self.symbols.keeps)
            raise Skip
        kept = made.keep(name)
        if kept.key is None or not kept.key.of_players or kept.type != NUMBER:
            message = Text("only a number that is kept of each player can be paid")
            help = Text("keep it as in `keep {name} of each player: 0`", name=name)
            raise made.fail("not-payable", message, node.what.span, help=help)
        amount = made.want(made.expr(node.amount, scope), NUMBER, node.amount.span)
        sides = []
        for side in (node.payer, node.receiver):
            if isinstance(side, nodes.Name) and not self.is_known(side.name, scope):
                message = Text("there is nothing called `{name}`", name=side.name)
                help = Text("pay a player, or a number that is kept, as in `keep {name}: 0`", name=side.name)
                raise made.fail("unknown-name", message, side.span, help=help)
            who = made.expr(side, scope)
            if isinstance(who, model.KeepOf) and who.type.same(NUMBER):
                sides.append(who)  # such as a pot, which is nobody's
            else:
                paying = made.apply(name, self.payer(who, side, kept), side.span)
                assert isinstance(paying, model.KeepOf)
                sides.append(paying)
        slot = made.slot()
        inner = scope.with_local("paid", model.Local(NUMBER, node.span, slot, "paid"), in_sight=False)
        return model.Pays(id, node.span, self.tell(node.told, inner), sides[0], amount, sides[1], slot)

    def payer(self, who: Expr, side: nodes.Expr, kept: model.Keep) -> Expr:
        """A player, or a side, who pays or is paid; a place takes cards and no numbers."""
        if kept.key is not None and who.type.same(kept.key.type):
            return who
        if who.type.kind == "place":
            message = Text("in a place there are cards, and this is a number")
            help = Text("keep a number instead of the place, as in `keep {name}: 0`", name=who.type.of)
            raise self.expressions.fail("not-payable", message, side.span, help=help)
        return self.expressions.want(who, PLAYER, side.span)

    def deal(self, node: nodes.Deal, scope: Scope, id: int) -> model.Doing:
        made = self.expressions
        amount = made.want(made.expr(node.amount, scope), NUMBER, node.amount.span) if node.amount else None
        source = self.place(node.source, scope)
        to: Expr
        if node.each:
            family = self.symbols.things(node.to.name) if isinstance(node.to, nodes.Name) else None
            if family is None or family.kind != "place":
                message = Text("behind `each` stands the name of a family of places")
                raise made.fail("bad-each", message, node.to.span, help=made.families())
            to = model.Everything(family.all(), node.to.span)
        else:
            if node.portion == "evenly":
                message = Text("cards are dealt evenly to each of several places")
                first = next((name for name, place in self.symbols.places.items() if place.key), None)
                help = Text("write `{words}`", words=f"each {first}") if first else None
                raise made.fail("bad-each", message, node.to.span, help=help)
            to = self.place(node.to, scope)
        return model.Deal(id, node.span, self.tell(node.told, scope), node.portion, amount, source, to)

    def if_(self, node: nodes.If, scope: Scope, id: int) -> model.Doing:
        condition = self.expressions.truth(node.condition, replace(scope, random=False))
        else_id = self.expressions.id()
        then, otherwise = self.block(node.then, scope), self.block(node.otherwise, scope)
        return model.If(id, node.span, (), condition, then, otherwise, else_id)

    def each(self, node: nodes.Each, scope: Scope, id: int) -> model.Doing:
        made = self.expressions
        # a set that is gone through at once is found anew by everyone who decides: no lots are drawn in it
        over = Loops(made).gone_through(node, replace(scope, random=False) if node.at_once else scope)
        thing = over.type.one()
        slot = made.slot(persistent=not self.in_move)
        inner = scope.with_local(node.noun.text, model.Local(thing, node.noun.span, slot, node.noun.text))
        if node.at_once and (self.in_move or len(node.body) != 1 or not isinstance(node.body[0], nodes.Turn)):
            message = Text("below `at once` stands a single turn")
            raise made.fail("at-once", message, node.span, help=Text("write one line such as `player plays` below it"))
        if node.at_once and thing.kind != "player":
            help = Text("write `each player at once`")
            raise made.fail("at-once", Text("only players can do something at once"), node.noun.span, help=help)
        return model.Each(id, node.span, (), slot, over, node.at_once, self.block(node.body, inner))

    def turn(self, node: nodes.Turn, scope: Scope, id: int) -> model.Doing:
        if isinstance(node.player, nodes.Name) and not self.is_known(node.player.name, scope):
            # `shufle deck` reads like a player's move.
            similar = nearest(node.player.name, FIRST_WORDS)
            if similar and all(word.text not in self.symbols.moves for group in node.groups for word in group):
                from teufelswerk.syntax.help.sayings import in_our_words  # only for whoever has made a mistake

                line = node.span.source.lines[node.span.line - 1].strip()
                message = Text("`{word}` is not a word of the rule language here", word=node.player.name)
                help = Text("write `{word}`", word=in_our_words(line, "statement") or similar)
                raise self.expressions.fail("misspelt", message, node.player.span, help=help)
            name = node.player.name
            help = Text("declare it: `keep {name}: player`", name=name)
            self.symbols.unknown(name, node.player.span, {*self.symbols.keeps, *self.symbols.definitions}, help)
            raise Skip
        player = self.expressions.want(self.expressions.expr(node.player, scope), PLAYER, node.player.span)
        for group in node.groups:
            for word in group:
                if word.text not in self.symbols.moves:
                    message = Text("there is no move called `{name}`", name=word.text)
                    similar = self.symbols.nearest(word.text, self.symbols.moves)
                    help = (
                        Text("write `{name}`", name=similar)
                        if similar
                        else Text("declare it: `player {name}:`", name=word.text)
                    )
                    raise self.expressions.fail("unknown-move", message, word.span, help=help)
        groups = tuple(tuple(word.text for word in group) for group in node.groups)
        chosen = scope.chosen.get(groups[0][0], -1)
        return model.Turn(id, node.span, self.tell(node.told, scope), player, groups, chosen)

    def call(self, node: nodes.Call, scope: Scope, id: int) -> model.Doing:
        name = node.name.text
        if name not in self.symbols.steps:
            if name in self.symbols.moves:
                message = Text("`{name}` is a move: say who makes it, as in `leader {name}`", name=name)
                raise self.expressions.fail("move-alone", message, node.name.span)
            similar = self.symbols.nearest(name, self.symbols.steps)
            message = Text("there is no step called `{name}`", name=name)
            help = Text("write `{name}`", name=similar) if similar else Text("declare it: `{name}:`", name=name)
            raise self.expressions.fail("unknown-step", message, node.name.span, help=help)
        step, _ = self.symbols.steps[name]
        if (step.parameter is None) != (node.argument is None):
            message = (
                Text("the step `{name}` needs to know for whom: `{name} of …`", name=name)
                if step.parameter
                else Text("the step `{name}` takes no `of`", name=name)
            )
            raise self.expressions.fail("step-of", message, node.span, related=((step.span, Text("declared here")),))
        argument: Expr | None = None
        if step.parameter and node.argument:
            type = self.expressions.thing(step.parameter)
            argument = self.expressions.expr(node.argument, scope, type)
            argument = self.expressions.want(argument, type, node.argument.span)
        return model.Call(id, node.span, self.tell(node.told, scope), name, argument)

    def wins(self, node: nodes.Wins, scope: Scope, id: int) -> model.Doing:
        slot = self.expressions.slot()
        criteria = tuple((extreme, self.of_everyone(word, slot)) for extreme, word in node.by)
        who = self.those(node.who, scope) if node.who is not None else None
        if not node.lose:
            scope = self.called("winners", slot, node, scope)
        elif who is not None or criteria:
            scope = self.called("losers", slot, node, scope)
        return model.Wins(id, node.span, self.tell(node.told, scope), who, criteria, node.lose, slot)

    def called(self, word: str, slot: int, node: nodes.Wins, scope: Scope) -> Scope:
        """Where a sentence can name those who have won, or lost."""
        return scope.with_local(word, model.Local(PLAYER.all(), node.span, slot, word), in_sight=False)

    def those(self, node: nodes.Expr, scope: Scope) -> Expr:
        """A player or several players, a side or several sides."""
        who = self.expressions.expr(node, scope)
        whole = who.type.many and who.type.one().same(PLAYER)
        return who if whole or who.type.one().same(SIDE) else self.expressions.want(who, PLAYER, node.span)

    def of_everyone(self, word: nodes.Word, slot: int) -> Expr:
        """A number that each player has, for the player in the slot."""
        made = self.expressions
        if made.owner_type(word.text) not in (PLAYER, SIDE) or made.is_of_two(word.text):
            message = Text("`{name}` is nothing that each player has", name=word.text)
            raise made.fail("wrong-type", message, word.span)
        by = made.apply(word.text, model.Local(PLAYER, word.span, slot, "it"), word.span)
        return made.want(by, NUMBER, word.span)


def _is_of_players(place: model.Place) -> bool:
    return place.key is not None and place.key.kind == "player"
