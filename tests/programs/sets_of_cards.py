"""Words for sets of cards: what a group of them is, how large it is, and what is left after groups are taken out."""

from __future__ import annotations

from collections.abc import Sequence

from programs.asking import Asking
from programs.speaking import Maker
from programs.words import CARD, CLOSED, NUMBER, OPEN, PLAIN, TRUTH, Phrase, Scope, Type

MANY = 40


class SetsOfCards(Asking):
    def makers(self, type: Type) -> Sequence[Maker]:
        ways = super().makers(type)
        if not self.world.groups:
            return ways
        if type == NUMBER:
            return [*ways, self.of_groups, self.of_groups]
        return [*ways, self.is_group, self.some_groups] if type == TRUTH else ways

    def group_lines(self) -> list[str]:
        """What a group is, in one way or another."""
        rng, world = self.rng, self.world
        scope = Scope().with_local("cards", Phrase("cards", CARD.all(), kinds=frozenset(world.kinds)))
        alike = [name for name in world.attributes if name != "number"]
        first = f"at least {rng.randint(1, 3)} cards"
        if rng.random() < 0.6:
            word = rng.choice(["number", *alike])
            first += f" and no cards where {word} is not {word} of first of cards"
        second = rng.choice(
            (
                f"sum number in cards is {rng.choice(('', 'at most ', 'above '))}{rng.randint(2, 9)}",
                f"(number of highest number in cards is count cards) and size is below {rng.randint(2, 5)}",
                self.phrase(TRUTH, scope, 2).at(PLAIN),
            )
        )
        joined = rng.choice(("pack or heap", "pack of cards or heap of cards and not pack", "heap and pack"))
        size = rng.choice(("count cards", "sum number in cards", "count cards where number is above 2"))
        return [f"size of cards = {size}", f"pack of cards = {first}", f"heap of cards = {second}",
                f"group of cards = {joined}"]  # fmt: skip

    def some_cards(self, scope: Scope, depth: int) -> str:
        """Seldom so many that sets among them are too many."""
        rng, source = self.rng, self.among(CARD, scope, depth)
        if rng.random() < 0.05:
            return source.at(CLOSED)
        return f"(first {rng.randint(2, 5)} cards in {source.at(CLOSED)})"

    def of_groups(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        rng, noun = self.rng, self.rng.choice(("groups", "heaps", "packs"))
        cards = self.some_cards(scope, depth)
        match rng.randrange(5):
            case 0:
                where = f" where size of it is {rng.choice(('above', 'below', 'at least'))} {rng.randint(1, 4)}"
                return Phrase(f"count {noun} in {cards}{where}", NUMBER, OPEN, low=0, high=MANY)
            case 1:
                return Phrase(f"sum size in {noun} in {cards}", NUMBER, CLOSED, low=0, high=MANY * 10)
            case 2:
                return Phrase(f"size of {cards}", NUMBER, CLOSED, low=0, high=MANY)
            case _:
                return Phrase(f"least number left in {cards} after {noun}", NUMBER, CLOSED, low=0, high=MANY)

    def some_groups(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        how_many = self.rng.choice(("some", "no", "at least 2", "exactly 1"))
        return Phrase(f"{how_many} {self.rng.choice(('groups', 'packs'))} in {self.some_cards(scope, depth)}", TRUTH)

    def is_group(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        cards = self.some_cards(scope, depth)
        if self.rng.random() < 0.4:
            more = self.phrase(self.rng.choice((CARD, CARD.all())), scope, depth - 1)
            cards = f"({cards} and {more.at(CLOSED)})"
        return Phrase(f"{self.rng.choice(('group', 'heap'))} of {cards}", TRUTH)
