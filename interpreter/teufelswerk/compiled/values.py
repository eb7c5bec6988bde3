"""Forms → expressions on integers; whatever takes more than one expression is written before it."""

from __future__ import annotations

from functools import partial
from typing import assert_never

from teufelswerk.base.limits import MAX_NUMBER
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.conditions import Conditions, truth
from teufelswerk.compiled.context import ABSENT, Value, Writer, joined
from teufelswerk.compiled.definitions import Definitions
from teufelswerk.compiled.places import Places
from teufelswerk.compiled.set_questions import Answers
from teufelswerk.compiled.sets import Sets
from teufelswerk.core import forms as f


class Values:
    """Writes values."""

    def __init__(self, w: Writer, places: Places) -> None:
        self.w = w
        self.places = places
        self.sets = Sets(w, places)
        self.masks = self.sets.masks
        self.answers = Answers(w, places, self.sets)
        self.definitions = Definitions(w, self.sets)
        w.value, w.place, w.is_out, w.guarded = self.value, self.place, self.is_out, self.guarded
        self.condition = Conditions(w, self.answers).condition

    # ---- values -----------------------------------------------------------------------------------------------------

    def needed(self, form: f.Expr) -> Value:
        """A value without which it does not go on."""
        value = self.value(form)
        if value.present is not None:
            self.w.fail_if(c.inverse(value.present))
        return Value(value.expr, None, value.low, value.high)

    def number(self, form: f.Expr) -> c.Expr:
        """A value that is surely there."""
        value = self.value(form)
        assert value.present is None, "the core says where something may be absent"
        return value.expr

    def value(self, form: f.Expr) -> Value:
        w = self.w
        match form:
            case f.Constant():
                return Value(c.Number(form.value), None, form.value, form.value)
            case f.Slot():
                found = w.slots[form.slot]
                assert isinstance(found, Value), "a list is gone through, not read"
                return found
            case f.Attribute():
                return self.attribute(form)
            case f.PlaceAt():
                index, present = w.uncounted(lambda: self.place(form))
                return Value(c.add(index, self.places.family(form).base), present)
            case f.Kept():
                return w.uncounted(lambda: self.kept(form))
            case f.Defined():
                return self.definitions.defined(form)
            case f.Neighbour():
                return self.neighbour(form)
            case f.OwnerOf():
                return self.owner_of(form)
            case f.PlaceHolding():
                return self.place_holding(form)
            case f.Nth():
                return w.uncounted(lambda: self.answers.nth(form))
            case f.EndAt():
                return self.end_at(form)
            case f.CardAt():
                return w.uncounted(lambda: self.card_at(form))
            case f.Extreme():
                return self.w.uncounted(lambda: self.answers.extreme(form))
            case f.Drawn():
                return self.answers.drawn(form)
            case f.Sum():
                return self.w.uncounted(lambda: self.answers.sum(form))
            case f.LeastLeft():
                return self.w.uncounted(lambda: self.answers.least_left(form))
            case f.Count():
                return self.w.uncounted(lambda: self.answers.count(form.items))
            case f.Arith():
                return self.arith(form)
            case f.If():
                return self.choice(form)
            case f.First():
                return self.first(form)
            case f.Taken():
                return self.taken(form)
            case f.Needed():
                return self.needed(form.value)
            case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
                return Value(c.select(self.condition(form), c.ONE, c.ZERO), None, 0, 1)
            case f.Listed() | f.Players() | f.Around() | f.Family() | f.Only() | f.CardsIn() | f.EndsOf():
                raise AssertionError("a set is gone through, not read")
            case f.Numbers() | f.Few() | f.Fitting() | f.Joined() | f.Together() | f.Subsets():
                raise AssertionError("a set is gone through, not read")
            case _:
                assert_never(form)

    def attribute(self, form: f.Attribute) -> Value:
        card, values = self.value(form.card), self.w.attribute(form.attribute)
        there = [value for value in values if value is not None]
        table = self.w.table(form.attribute, (ABSENT if value is None else value for value in values))
        expr, present = c.load(table, card.expr), card.present
        if form.type.optional and None in values:
            expr = self.guarded(expr, present)
            present = c.both(present, c.compare("!=", expr, ABSENT))
        return Value(expr, present, min(there, default=0), max(there, default=0))

    def guarded(self, expr: c.Expr, present: c.Expr | None) -> c.Expr:
        """A value, worked out now if it is there."""
        if c.is_simple(expr):
            return expr
        var = self.w.temp("value", expr.kind)
        if present is None:
            self.w.set(var, expr)
        else:
            self.w.set(var, c.Number(ABSENT))
            with self.w.when(present):
                self.w.set(var, expr)
        return var

    # ---- places -----------------------------------------------------------------------------------------------------

    def place(self, form: f.Expr) -> tuple[c.Expr, c.Expr | None]:
        """The position of a place in its family."""
        family = self.places.family(form)
        if isinstance(form, f.PlaceAt):
            if form.key is None:
                return c.ZERO, None
            key, keyed = self.value(form.key), form.place.key
            assert keyed
            if keyed.kind in ("player", "name"):
                return (c.ZERO if family.single and key.present is None else key.expr), key.present
            return self.numbered(key, self.w.layout.keys(keyed)), key.present
        found = self.value(form)
        return c.minus(found.expr, family.base), found.present

    def needed_place(self, form: f.Expr) -> c.Expr:
        index, present = self.place(form)
        if present is not None:
            self.w.fail_if(c.inverse(present))
        return index

    def numbered(self, key: Value, keys: range) -> c.Expr:
        """The position of a number's member; a number that has none is an error."""
        low, high = keys.start, keys.stop - 1
        if key.low is None or key.high is None or key.low < low or key.high > high:
            expr = self.guarded(key.expr, key.present)
            out = c.either(c.compare("<", expr, low), c.compare(">", expr, high))
            self.w.fail_if(c.both(key.present, out))
            return c.minus(expr, low)
        return c.minus(key.expr, low)

    def end(self, form: f.Expr) -> tuple[c.Expr, c.Expr, c.Expr | None]:
        """The position of an end's place in its family, the side, and whether there is such an end."""
        family = self.places.family(form)
        if isinstance(form, f.EndAt):
            index, present = self.w.uncounted(lambda: self.place(form.place))
            return index, c.Number(int(form.top)), present
        end = self.value(form)
        if end.expr in self.w.ends:
            return *self.w.ends[end.expr], end.present
        place = c.minus(c.binary(">>", end.expr, c.ONE), family.base)
        return (c.ZERO if family.single else place), c.binary("&", end.expr, c.ONE), end.present

    def end_at(self, form: f.EndAt) -> Value:
        at = self.value(form.place)
        return Value(c.add(c.times(at.expr, c.Number(2)), int(form.top)), at.present)

    def owner_of(self, form: f.OwnerOf) -> Value:
        w, card = self.w, self.value(form.card)
        lies = self.masks.lies(form.card)
        if lies is not None and not self.places.families[lies.family].owned:
            owner = self.guarded(self.places.owner_of(card.expr, lies.family), card.present)
        else:
            owner = w.temp("owner")
            w.set(owner, c.Number(-1))
            with w.when(card.is_there):
                place = w.let("place", self.places.place_of(card.expr))
                w.set(owner, c.load(w.table("owner", w.layout.owner), place))
                with w.when(c.compare("<", owner, 0)):
                    w.set(owner, self.places.owner_of(card.expr, None))
        there = c.both(card.present, c.compare(">=", owner, 0))
        return Value(owner, there, 0, w.players - 1)

    def place_holding(self, form: f.PlaceHolding) -> Value:
        w, card, family = self.w, self.value(form.card), self.places.family(form)
        place = w.temp("place")
        w.set(place, c.Number(-1))
        with w.when(card.is_there):
            w.set(place, self.places.place_of(card.expr))
        last = family.base + family.count - 1
        return Value(
            place, c.both(c.compare(">=", place, family.base), c.compare("<=", place, last)), family.base, last
        )

    def card_at(self, form: f.CardAt) -> Value:
        w, family = self.w, self.places.family(form.end)
        index, side, present = self.end(form.end)
        if isinstance(form.end, f.Slot) and form.end.slot in w.lies:
            at = w.let("place", index)
            position = c.select(c.compare("==", side, 1), c.minus(family.size_of(at), 1), c.ZERO)
            return Value(w.let("card", family.card_at(at, position)), None, 0, w.cards - 1)
        card = w.temp("card")
        w.set(card, c.Number(-1))
        with w.when(c.YES if present is None else present):
            at = w.let("place", index)
            n = w.let("n", family.size_of(at))
            with w.when(c.compare(">", n, 0)):
                w.set(card, family.card_at(at, c.select(c.compare("==", side, 1), c.minus(n, 1), c.ZERO)))
        return Value(card, c.compare(">=", card, 0), 0, w.cards - 1)

    # ---- what is kept -----------------------------------------------------------------------------------------------

    def keep_index(self, form: f.Kept) -> tuple[c.Expr | None, c.Expr | None]:
        """Which of a kept thing's members is meant, and whether there is one; None if there is only one."""
        if form.key is None:
            return None, None
        key, keyed = self.value(form.key), form.keep.key
        assert keyed
        is_name = keyed.kind in ("player", "name")
        return key.expr if is_name else self.numbered(key, self.w.layout.keys(keyed)), key.present

    def kept(self, form: f.Kept) -> Value:
        index, present = self.keep_index(form)
        expr = self.kept_at(form.keep.name, index)
        low, high = self.w.bounds(form.keep.type)
        if form.keep.type.optional:  # it is nobody
            expr = self.guarded(expr, present)
            return Value(expr, c.both(present, c.compare("!=", expr, ABSENT)), low, high)
        if form.keep.name not in self.w.always_set | self.w.assigned:
            expr = self.guarded(expr, present)
            self.w.fail_if(c.both(present, c.compare("==", expr, ABSENT)))
        return Value(expr, present, low, high)

    def kept_at(self, name: str, index: c.Expr | None) -> c.Expr:
        """What is kept under a name, for one of its members if it has any."""
        at = self.w.keeps[name]
        if isinstance(at, c.Var):
            return at
        assert index is not None
        return c.load(at, index)

    # ---- players ----------------------------------------------------------------------------------------------------

    def neighbour(self, form: f.Neighbour) -> Value:
        w, player, n = self.w, self.value(form.player), self.w.players
        if form.out is None:
            table = w.table("left" if form.step == 1 else "right", ((seat + form.step) % n for seat in range(n)))
            return Value(c.load(table, player.expr), player.present, 0, n - 1)
        seat = w.temp("seat")
        w.set(seat, c.ZERO)
        with w.when(player.is_there):
            given = w.let("player", player.expr)
            w.set(seat, given)
            with w.count("distance", c.ONE, c.Number(n + 1)) as distance:
                far = c.add(given, distance) if form.step == 1 else c.minus(c.add(given, n), distance)
                found = w.let("found", c.binary("%", far, c.Number(n)))
                with w.when(c.inverse(self.is_out(form.out, found))):
                    w.set(seat, found)
                    w.out.append(c.Leave())
        return Value(seat, player.present, 0, n - 1)

    def is_out(self, out: f.Definition, seat: c.Expr) -> c.Expr:
        return truth(self.definitions.call(out, Value(seat, None, 0, self.w.players - 1)))

    # ---- arithmetic and alternatives --------------------------------------------------------------------------------

    def arith(self, form: f.Arith) -> Value:
        w, left, right = self.w, self.value(form.left), self.value(form.right)
        low, high = _range(form.op, left, right)
        match form.op:
            case "+" | "-" | "*":
                expr = c.binary(form.op, left.expr, right.expr)
            case "larger" | "smaller":
                one, other = w.let("one", left.expr), w.let("other", right.expr)
                expr = c.select(c.compare(">" if form.op == "larger" else "<", one, other), one, other)
            case "/down":
                expr = c.binary("//", left.expr, self.divisor(right))
            case "/up":
                expr = c.minus(c.ZERO, c.binary("//", c.minus(c.ZERO, left.expr), self.divisor(right)))
            case "remainder":
                whole, divisor = w.let("whole", left.expr), self.divisor(right)
                expr = c.minus(whole, c.times(divisor, c.binary("//", whole, divisor)))
            case _:
                assert_never(form.op)
        if w.trusting:
            return Value(expr, None, low, high)
        if low is None or high is None or low < -MAX_NUMBER or high > MAX_NUMBER:
            expr = w.let("number", expr)
            w.fail_if(c.either(c.compare(">", expr, MAX_NUMBER), c.compare("<", expr, -MAX_NUMBER)))
            low, high = max(low or -MAX_NUMBER, -MAX_NUMBER), min(high or MAX_NUMBER, MAX_NUMBER)
        return Value(expr, None, low, high)

    def divisor(self, value: Value) -> c.Expr:
        divisor = self.w.let("divisor", value.expr)
        if value.low is None or value.high is None or value.low <= 0 <= value.high:
            self.w.fail_if(c.compare("==", divisor, 0))
        return c.ONE if divisor == c.ZERO else divisor  # nobody comes behind the failure

    def choice(self, form: f.If) -> Value:
        w = self.w
        condition = self.w.uncounted(lambda: self.condition(form.condition))
        then_body, then = w.aside_value(lambda: self.value(form.then))
        other_body: c.Body = []
        other: Value | None = None
        if form.otherwise is not None:
            otherwise = form.otherwise
            other_body, other = w.aside_value(lambda: self.value(otherwise))
        low, high = joined(then, other)
        if not then_body and not other_body:
            if other is None:
                return Value(then.expr, c.both(condition, then.present), low, high)
            expr = c.select(condition, then.expr, other.expr)
            if then.present is None and other.present is None:
                return Value(expr, None, low, high)
            return Value(expr, c.select(condition, then.is_there, other.is_there), low, high)
        var, there = w.temp("value", then.expr.kind), None
        if other is None or then.present is not None or other.present is not None:
            there = w.temp("there", "b")
        then_body += self.assigned(var, there, then)
        other_body += self.assigned(var, there, other)
        w.out += c.when(condition, then_body, other_body)
        return Value(var, there, low, high)

    def assigned(self, var: c.Var, there: c.Var | None, value: Value | None) -> c.Body:
        if value is None:
            assert there is not None
            return [c.Set(var, c.Number(0, var.kind)), c.Set(there, c.NO)]
        if there is None:
            return [c.Set(var, value.expr)]
        if value.present is None:
            return [c.Set(var, value.expr), c.Set(there, c.YES)]
        absent: c.Body = [c.Set(var, c.Number(0, var.kind)), c.Set(there, c.NO)]
        return c.when(value.present, [c.Set(var, value.expr), c.Set(there, c.YES)], absent)

    def first(self, form: f.First) -> Value:
        w = self.w
        found = self.value(form.options[0])
        for option in form.options[1:]:
            if found.present is None:
                return found
            body, other = w.aside_value(partial(self.value, option))
            low, high = joined(found, other)
            if not body and c.is_simple(found.present) and other.present is None:
                found = Value(c.select(found.present, found.expr, other.expr), None, low, high)
                continue
            var, there = w.temp("value", found.expr.kind), w.temp("there", "b")
            w.set(there, found.is_there)
            before: c.Body = [c.Set(var, found.expr)]
            body += self.assigned(var, there, other)
            w.out += c.when(there, before, body)
            found = Value(var, None if other.present is None else there, low, high)
        return found

    def taken(self, form: f.Taken) -> Value:
        value = self.value(form.value)
        if not self.w.counted:
            return value
        with self.w.when(value.is_there):
            self.w.count_branch(form.branch.id)
        return value


def _range(op: f.Operation, left: Value, right: Value) -> tuple[int | None, int | None]:
    a, b, x, y = left.low, left.high, right.low, right.high
    if a is None or b is None or x is None or y is None:
        return None, None
    match op:
        case "+":
            return a + x, b + y
        case "-":
            return a - y, b - x
        case "*":
            corners = a * x, a * y, b * x, b * y
            return min(corners), max(corners)
        case "/down" | "/up":
            most = max(abs(a), abs(b))
            return -most, most
        case "remainder":  # it has the sign of what is divided by
            most = max(abs(x), abs(y))
            return -most if x < 0 else 0, most if y > 0 else 0
        case "larger":
            return max(a, x), max(b, y)
        case "smaller":
            return min(a, x), min(b, y)
        case _:
            assert_never(op)
