"""The table as lines: players and what is kept of them, the places in the middle, the player's own cards.

What is drawn follows from the declarations: a place of each player stands beside the player, a place that only its
owner sees is a hand, a place in the middle is drawn card by card, and one with two ends shows where it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text as Styled
from teufelswerk.base.texts import Seat, Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.view import SeenPlace, View
from teufelswerk.model import SIDE, Keep, Key, Place, title_of
from teufelswerk.rulebook.words import place_term, term
from teufelswerk.sessions.glance import Glance
from teufelswerk.sessions.heaps import NONE, Heaps

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.card_drawing import Drawer, Look, beside, broken, clipped, ink, packed, padded
from teufelswerk_cli.table.scores import sides_named

GAP = 3
"""The columns between things in a line."""
LARGE = 4
"""The lines of a large card."""
SIZES = (
    (True, True, True, True),
    (False, True, True, True),
    (False, True, False, True),
    (False, False, False, True),
    (False, False, False, False),
)
"""Whether rows, other cards in the middle, room for an empty place, and the player's own cards are large.

The first of these that fits on the screen is taken.
"""


class TableDrawing:
    """Draws views of one game for one terminal."""

    def __init__(self, game: Game, names: Sequence[str], look: Look) -> None:
        self.game = game
        self.names = list(names)
        self.look = look
        self.drawer = Drawer(game.rules, look)
        self.layout = game.layout
        self.name_width = max(len(name) for name in names)
        self.glance = Glance(game)
        keeps = game.rules.keeps.values()
        self.own_keeps = [each for each in keeps if each.key is not None and each.key.kind == "player" and each.shown]
        """What is kept of each player."""

    # ---- the whole --------------------------------------------------------------------------------------------------

    def lines(self, view: View, own_seat: int | None, room: int, heaps: Heaps = NONE) -> list[Styled]:
        """The table in at most about `room` lines; `own_seat` is the player whose own cards may be shown, and `heaps`
        are cards that everyone saw go out of sight."""
        head = [*self.heading(view), *self.players(view, own_seat, heaps)]
        for large_rows, large_cards, spacious, large_own in SIZES:
            middle = self.middle(view, large_rows, large_cards, spacious)
            own = self.own(view, own_seat, large_own)
            if len(head) + len(middle) + len(own) <= room:
                break
        return [*head, *middle, *own]

    def heading(self, view: View) -> list[Styled]:
        """The game's title, and what there is only one of."""
        rules = self.game.rules
        parts = [ink(say(title_of(rules)), "bold"), *self.course(view)]
        for name, keep in rules.keeps.items():
            value = view.keeps.get(name)
            if keep.key is None and keep.shown and value is not None:
                parts.append(ink(f"{self.keep_name(keep)}: ", "dim").append(self.kept(keep, value)))
        for name, keep in rules.keeps.items():
            if keep.key is not None and keep.key.type == SIDE and keep.shown:
                for who, value in zip(sides_named(self.game, self.names), view.keeps[name], strict=True):
                    if value is not None:
                        whose = ink(f"{self.keep_name(keep)} ", "dim").append(f"{who}: ", "dim")
                        parts.append(whose.append(self.kept(keep, value)))
        for index, name in enumerate(self.layout.place_names):
            place = view.places.get(name)
            if place is not None and place.lying is None and self.layout.owner[index] < 0 and place.count:
                what, which = say(place_term(self.game.rules, self.layout.place_of[index].name)), self.place_name(index)
                label = what if self.layout.place_of[index].key is None else f"{what} {which}"
                parts.append(ink(f"{label}: ", "dim").append(str(place.count)))
        return packed(parts, GAP, self.look.width - 1)

    def course(self, view: View) -> Iterator[Styled]:
        """How far the game has come, at what it ends, and which way round it goes."""
        if found := self.glance.round(view):
            number, of = found
            yield ink(_("round {n}", n=number) if of is None else _("round {n} of {all}", n=number, all=of))
        if target := self.glance.target(view):
            yield ink(_("{what} to {n}", what=self.keep_name(target[0]), n=target[1]), "dim")
        if view.players > 2:
            yield ink(_("turns {arrow}", arrow=self.look.sign("↓", "v")), "dim")

    def keep_name(self, keep: Keep) -> str:
        return say(term(self.game.rules, keep.name, "keep"))

    def kept(self, keep: Keep, value: Any) -> str:
        if keep.type.kind == "player":
            return self.names[int(value)]
        if keep.type.kind == "card":
            return self.drawer.title(value)
        if keep.type.kind == "name" and not keep.type.same(SIDE) and not str(value).isdigit():
            return say(Text(str(value), msgctxt=f"{self.game.rules.family}: {keep.type.of}"))
        return str(value)

    def place_name(self, index: int) -> str:
        place = self.layout.place_of[index]
        if place.key is None:
            return say(place_term(self.game.rules, place.name))
        members = self.layout.split(place.key, self.layout.place_key[index])
        shown = (self.game.program.teller.member(key, value) for key, value in members)
        return ", ".join(say(Text("{value}", value=each), self.names) for each in shown)

    # ---- players ----------------------------------------------------------------------------------------------------

    def players(self, view: View, own_seat: int | None, heaps: Heaps) -> list[Styled]:
        """One line for each player: whose turn it is, what is kept of them, what they have."""
        room = self.look.width - self.name_width - 2 - GAP - 1
        collected = self.glance.collected(view, heaps)
        for terse in (False, True):
            cells = [self.cells(view, seat, own_seat, terse) for seat in range(view.players)]
            for row, number in zip(cells, collected, strict=False):
                row.insert(len(self.own_keeps), self.taken(number))
            widths = [max(row[column].cell_len for row in cells) for column in range(len(cells[0]))]
            in_columns = sum(width + GAP for width in widths if width) <= room + GAP
            if in_columns:
                break
        lines = []
        for seat, row in enumerate(cells):
            line = ink(f"{self.look.sign('▶', '>')} " if view.to_move == seat else "  ", "bold green")
            style = "bold" if view.to_move == seat else ""
            line.append(self.names[seat].ljust(self.name_width), style)
            if in_columns:
                parts = [padded(cell, width) for cell, width in zip(row, widths, strict=True) if width]
            else:
                parts = [part for cell in row if cell for part in broken(cell, room)]
            for number, there in enumerate(packed(parts, GAP, room)):
                start = ink(" " * (self.name_width + 2)) if number else line
                lines.append(start + ink(" " * GAP) + there)
                lines[-1].rstrip()
        return lines

    def taken(self, number: int | None) -> Styled:
        """What somebody has collected in this round."""
        if number is None:
            return Styled()
        return ink(_("taken") + " ", "dim").append(str(number).rjust(2), "bold")

    def cells(self, view: View, seat: int, own_seat: int | None, terse: bool) -> list[Styled]:
        rules, found = self.game.rules, []
        for keep in self.own_keeps:
            cell = Styled()
            value = view.keeps[keep.name][seat]
            if value is not None:
                cell.append(f"{self.keep_name(keep)} ", "dim")
                cell.append(self.kept(keep, value).rjust(3 if keep.type.kind == "number" else 0), "bold")
            found.append(cell)
        found += self.of_two(view, seat, own_seat, terse)
        for name, place in rules.places.items():
            if place.key is not None and place.key.kind == "player":
                seen = view.places[f"{name}[{seat}]"]
                own = self.is_private(place) and seat == own_seat
                found.append(Styled() if own else self.held(place, seen, terse))
        return found

    def of_two(self, view: View, seat: int, own_seat: int | None, terse: bool) -> Iterator[Styled]:
        """What a player has of each of some things: what is kept, then what lies there."""
        rules, layout = self.game.rules, self.layout
        for name, keep in rules.keeps.items():
            if keep.key is not None and keep.key.kind == "pair" and keep.key.owner is not None and keep.shown:
                parts = [
                    ink(f"{self.other(keep.key, number)} ", "dim").append(self.kept(keep, value), "bold")
                    for number, value in enumerate(view.keeps[name])
                    if value is not None and seat in layout.holders(keep, number)
                ]
                yield ink(f"{self.keep_name(keep)}: " if parts else "", "dim").append_text(ink(", ").join(parts))
        for place in rules.places.values():
            if place.key is not None and place.key.kind == "pair" and place.key.of_one_player:
                parts = []
                for index in layout.family(place.name):
                    seen = view.places[layout.place_names[index]]
                    if layout.owner[index] == seat and seen.count and not (self.is_private(place) and seat == own_seat):
                        parts.append(self.held(place, seen, terse, self.other(place.key, layout.place_key[index])))
                title = say(place_term(rules, place.name))
                yield ink(f"{title}: " if parts else "", "dim").append_text(ink(", ").join(parts))

    def other(self, key: Key, value: int) -> str:
        """Of two things that something is for: the second one."""
        part, one = self.layout.split(key, value)[1]
        return say(Text("{value}", value=self.game.program.teller.member(part, one)), self.names)

    def is_private(self, place: Place) -> bool:
        return place.seen_by == "owner" and place.key is not None and place.key.of_one_player

    def held(self, place: Place, seen: SeenPlace, terse: bool, label: str = "") -> Styled:
        """What can be seen of a player's place beside the name."""
        cell = Styled()
        if not seen.count:
            return cell
        cell.append(f"{label or say(place_term(self.game.rules, place.name))} ", "dim")
        if seen.lying is not None and (place.seen_by in ("all", "others") or place.turned):
            cards = [self.drawer.small(id) for id in seen.lying]
            return cell.append_text(ink(", " if any(" " in card.plain for card in cards) else " ").join(cards))
        # the others see which cards these are, so a number would look like one of them
        cell.append(str(seen.count) if place.seen_by != "others" else " ".join("?" * seen.count))
        if seen.backs is not None and any(seen.backs):
            counts = {back: seen.backs.count(back) for back in dict.fromkeys(seen.backs)}
            cell.append(": ", "dim")
            backs = [self.drawer.back(back, count, terse) for back, count in counts.items()]
            cell.append_text(ink(", ", "dim").join(backs))
        return cell

    # ---- the middle of the table ------------------------------------------------------------------------------------

    def middle(self, view: View, large_rows: bool, large_cards: bool, spacious: bool) -> list[Styled]:
        lines: list[Styled] = []
        shown: set[str] = set()
        for index, name in enumerate(self.layout.place_names):
            place, seen = self.layout.place_of[index], view.places.get(name)
            if seen is None or seen.lying is None or self.layout.owner[index] >= 0:
                continue
            if place.key is None and not place.two_ended:
                lines += self.laid(place, seen, view, large_cards and bool(spacious or seen.lying))
            elif place.name not in shown and self.is_bare(place, view):
                shown.add(place.name)
                lines.append(ink(f"{say(place_term(self.game.rules, place.name))}: ", "dim"))
            elif not self.is_bare(place, view):
                lines += [Styled()] if place.name not in shown else []
                shown.add(place.name)
                lines += self.row(index, seen, view, large_rows)
        return lines

    def is_bare(self, place: Place, view: View) -> bool:
        """Whether nothing lies yet in any of the places of a family, and nothing hangs on which of them it is."""
        members = [view.places.get(self.layout.place_names[index]) for index in self.layout.family(place.name)]
        named = place.key is not None and place.key.kind == "number"
        return named and not place.two_ended and not any(seen is not None and seen.count for seen in members)

    def laid_together(self, name: str, view: View) -> list[Styled]:
        """What lay in a place in the middle, by itself."""
        index, seen = self.layout.by_name[name], view.places[name]
        place = self.layout.place_of[index]
        if place.key is None and not place.two_ended:
            return self.laid(place, seen, view, True)
        return self.row(index, seen, view, True)

    def laid(self, place: Place, seen: SeenPlace, view: View, large: bool) -> list[Styled]:
        """Cards in the order in which they were laid, with those who did, and what they come to."""
        label = ink(say(place_term(self.game.rules, place.name)), "dim")
        head = packed([label, *self.facts(view, place)], 1, self.look.width - 1)
        cards, owners = seen.lying or (), seen.owners or ()
        if not large:
            parts = self.drawer.in_short(cards, [None if o is None else self.names[o] for o in owners])
            start = head.pop().append(": ")
            if start.cell_len > self.look.width // 2:
                head, start = [*head, start], ink("  ")
            room = self.look.width - 1 - start.cell_len
            lines = packed(parts, 3, room) or [Styled()]
            if self.layout.ordered[self.layout.place_base[place.name]]:
                while len(lines) > 1:  # what lies on top counts
                    parts = parts[1:]
                    lines = packed([ink(self.look.sign("…", "..."), "dim"), *parts], 3, room)
            return [*head, *((ink(" " * start.cell_len) if n else start) + line for n, line in enumerate(lines))]
        inner = self.drawer.fitting(len(cards) + 2, self.look.width)
        width = max(inner + 2, min(self.name_width, 10)) + 2
        fitting = max(1, (self.look.width - 2) // width)
        lines = head
        shown = list(zip(cards, owners, strict=True))[-fitting:]
        if not shown:
            return [*head, *(Styled() for _ in range(LARGE + 1))]
        lines += beside([[padded(line, width) for line in self.drawer.large(id, inner)] for id, _ in shown], 0)
        below = Styled()
        for _id, owner in shown:
            below.append(clipped(self.names[owner] if owner is not None else "", width - 1).ljust(width), "italic")
        return [*lines, below]

    def facts(self, view: View, place: Place) -> Iterator[Styled]:
        """What the cards in a place come to, in words: who takes them as they lie, what they ask of the next one."""
        for declared, value in self.glance.counts(view, place.name):
            words = term(self.game.rules, declared.name, "figure")
            shown = self.game.program.teller.shown(declared.value.type, value)
            if declared.value.type.kind == "truth":
                shown = Text("yes") if value else Text("no")
            fact = ink(f"({say(words)}: ", "dim").append(say(Text("{value}", value=shown), self.names), "bold")
            yield fact.append(")", "dim")

    def row(self, index: int, seen: SeenPlace, view: View, large: bool) -> list[Styled]:
        """A row of its own for each colour or number; arrows show where it goes on."""
        place = self.layout.place_of[index]
        label = self.place_name(index)
        key = place.key.of if place.key is not None and place.key.kind == "name" else None
        width = max(len(self.place_name(i)) for i in self.layout.family(place.name)) + 2
        cards = list(seen.lying or ())
        left, right = self.ends(index, cards, view) if place.two_ended else (Styled(), Styled())
        tint = self.drawer.tint_of(key, self.layout.place_key[index]) if key else ""
        head = ink(label.ljust(width), tint or "dim")
        if not cards:
            return [head.append(self.look.sign("·", "."), "dim")]
        inner = self.drawer.fitting(len(cards), self.look.width - width - 8)
        if not large or width + 8 + (inner + 2) * len(cards) > self.look.width:
            parts = [self.drawer.small(id, without=key) for id in cards]
            middle = packed(parts, 2, self.look.width - width - 8)
            indent = ink(" " * (width + left.cell_len))
            lines = [(indent if number else head + left) + ink(" ") + line for number, line in enumerate(middle)]
            lines[-1] = lines[-1] + ink(" ") + right
            return lines
        drawn = beside([self.drawer.large(id, inner) for id in cards], 0)
        lines = []
        for number, line in enumerate(drawn):
            first = head if number == 1 else ink(" " * width)
            arrows = number == 1 and place.two_ended
            start, end = (left, right) if arrows else (ink("  "), ink("  "))
            lines.append(first + (start + ink(" ") if arrows else ink("   ")) + line + ink(" ") + end)
        return lines

    def ends(self, index: int, cards: list[str | None], view: View) -> tuple[Styled, Styled]:
        """The signs at the ends of a row: where the player can lay now, where others may, where nobody can."""
        usable = set()
        for move in view.moves:
            for choice, pick in zip(self.game.rules.moves[move.verb].choices, move.picks, strict=True):
                if choice.source.type.kind == "end" and pick >> 1 == index:
                    usable.add(pick & 1)
        signs = []
        for side, card in enumerate((cards[0], cards[-1]) if cards else ()):
            if card is None or self.drawer.is_blank(card):
                signs.append(ink(self.look.sign("▐ ", "| ") if side == 0 else self.look.sign(" ▌", " |"), "dim"))
            elif side in usable:
                signs.append(ink((self.look.sign("◀ ", "< "), self.look.sign(" ▶", " >"))[side], "bold green"))
            else:
                signs.append(ink((self.look.sign("◁ ", "( "), self.look.sign(" ▷", " )"))[side], "dim"))
        return (signs[0], signs[1]) if signs else (Styled(), Styled())

    # ---- the player's own cards -------------------------------------------------------------------------------------

    def own(self, view: View, seat: int | None, large: bool) -> list[Styled]:
        """The cards that only the player sees, sorted; those that can be played now stand out."""
        if seat is None or seat != view.seat:
            return []
        usable, lines = self.usable(view), []
        for index, place in enumerate(self.layout.place_of):
            seen = view.places.get(self.layout.place_names[index])
            if not self.is_private(place) or self.layout.owner[index] != seat or seen is None or not seen.cards:
                continue
            ids = sorted(seen.cards, key=self.drawer.sort_key)
            marked = view.to_move != seat or not usable
            bright = {id: marked or id in usable for id in ids}
            name = say(place_term(self.game.rules, place.name))
            if place.key is not None and place.key.kind == "pair":
                name += f" ({self.other(place.key, self.layout.place_key[index])})"
            lines.append(ink(_("{player}: {place}", player=self.names[seat], place=name), "dim"))
            if large:
                lines += self.fan(ids, bright)
            else:
                lines += packed([self.held_there(id, bright[id]) for id in ids], 2, self.look.width)
        return lines

    def held_there(self, id: str, bright: bool) -> Styled:
        """A card in one line; one that cannot be played now is in brackets, for those who see no colours."""
        card = self.drawer.small(id, bright)
        return card if bright else ink("(", "dim").append_text(card).append(")", "dim")

    def fan(self, ids: list[str], bright: dict[str, bool]) -> list[Styled]:
        inner = self.drawer.fitting(len(ids), self.look.width)
        size = inner + 2
        gap = 1 if (size + 1) * len(ids) <= self.look.width else 0
        fitting = max(1, self.look.width // (size + gap))
        lines = []
        for start in range(0, len(ids), fitting):
            lines += beside([self.drawer.large(id, inner, bright[id]) for id in ids[start : start + fitting]], gap)
        return lines

    def usable(self, view: View) -> set[str]:
        """The cards that some legal move chooses."""
        found: set[str] = set()
        for move in view.moves:
            for value in self.game.choice(move).values():
                found.update(map(str, value if isinstance(value, list) else [value]))
        return found & set(self.drawer.cards)

    def turn(self, view: View) -> str:
        if view.to_move is None:
            return ""
        return say(Text("{player}, it is your turn.", player=Seat(view.to_move)), self.names)
