"""What a seat cannot tell apart is the same to it: views, prompts, completions, hints, sentences, bots' moves.

Two tables play side by side. One of them differs in what a seat cannot see: cards are exchanged out of its sight,
others choose something else in secret or hide another card. As long as that seat has seen the same at both tables, by
what the rule file declares and by nothing that the program says about it, all that it is given must be the same, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from generated_games import rule_file
from teufelswerk.base.diagnostics import render
from teufelswerk.bots import thinking_bots
from teufelswerk.bots.company import Company, bot_class
from teufelswerk.bots.thinking_bots import ThinkingBot
from teufelswerk.engines.steps import Steps
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event, RuleError
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move, State
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import FACES, UP
from teufelswerk_cli.table.card_drawing import Drawer, Look
from teufelswerk_cli.table.typed_moves import Moves

HOSTILE = Path(__file__).parents[1] / "hostile"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "games"
LOOKS = 40
LONGEST = 16
"""How many moves two tables are followed."""


class Table:
    """One of two tables, with an adviser at the seat that is looked at."""

    def __init__(self, game: Game, seat: int, kind: str, state: State, events: list[Event]) -> None:
        self.game = game
        self.seat = seat
        self.company = Company(game, {seat: kind}, seed=5)
        self.moves = Moves(game, [f"P{number}" for number in range(game.players)], drawer(game), arrows=False)
        self.state = self.before = state
        self.events = events
        self.secret = {code.turn.id for code in game.program.turns.values() if code.at_once is not None}
        self.secrets = {keep.name for keep in game.rules.keeps.values() if keep.seen_by != "all"}
        self.whispers = {"guesses", "bets"} if self.secrets else set()
        """Moves that change something secret: nobody else learns what was chosen."""
        self.known: set[int] = set()
        """Cards that the seat has seen, or been told of, at some time."""
        self.company.tell(state, events)
        self.remember()

    def remember(self) -> None:
        told = self.state.keeps[: self.game.layout.faces][-1:]
        self.known |= self.shown() | {card for card in told if card is not None}

    def play(self, move: Move) -> None:
        self.before, self.events = self.state, []
        self.state = self.game.apply(self.state, move, self.events)
        self.company.tell(self.state, self.events)
        self.remember()

    # ---- what the rule file lets the seat see -----------------------------------------------------------------------

    def sees(self, place: int) -> bool:
        seen_by, owner = self.game.layout.place_of[place].seen_by, self.game.layout.owner[place]
        own = {"owner": True, "others": False}
        return seen_by == "all" or (seen_by in own and own[seen_by] == (owner == self.seat))

    def is_up(self, state: State, place: int, card: int) -> bool:
        """Whether everyone sees a card that lies where cards are turned."""
        faces = self.game.layout.faces
        return faces is not None and self.game.layout.place_of[place].turned and state.keeps[faces + card] == UP

    def sees_card(self, state: State, place: int, card: int) -> bool:
        return self.sees(place) or self.is_up(state, place, card)

    def knows(self, index: int) -> bool:
        """Whether the seat is let in on something that is kept."""
        if self.game.layout.keep_of[index].name == FACES:
            return False  # it is seen in the places
        seen_by, owner = self.game.layout.keep_of[index].seen_by, self.game.layout.keep_key[index]
        return seen_by == "all" or (seen_by == "owner" and owner == self.seat)

    def kept(self) -> list[int | None]:
        return [value for index, value in enumerate(self.state.keeps) if self.knows(index)]

    def seen(self) -> Any:
        """What lies on the table, what is kept, whose turn it is, what they are asked for if it is the seat's own, what
        has moved, and what was said, but for hidden cards."""
        game, state = self.game, self.state
        backs = [card.back for card in game.rules.cards]
        lying = []
        for index, cards in enumerate(state.places):
            shows = game.layout.place_of[index].backs_by == "all"
            whose: Any = tuple((card, state.owners[card]) for card in cards) if self.sees(index) else None
            if game.layout.place_of[index].turned:
                seen = [(card, state.owners[card]) if self.sees_card(state, index, card) else None for card in cards]
                whose = seen, [self.is_up(state, index, card) for card in cards]
            lying.append((len(cards), whose, sorted(backs[card] for card in cards) if shows else None))
        mover = game.player(state)
        asked = sorted({move.verb for move in game.legal_moves(state)}) if mover == self.seat else []
        return lying, self.kept(), mover, asked, state.winners, self.happened()

    def happened(self) -> list[Any]:
        found: list[Any] = []
        by_name, numbers = self.game.layout.by_name, {card.id: card for card in self.game.rules.cards}
        for event in self.events:
            record = event.record
            if record["event"] == "cards":
                places = by_name[record["from"]], by_name[record["to"]]
                named = any(map(self.sees, places)) or record.get("face") == "up"
                shows = any(self.game.layout.place_of[place].backs_by == "all" for place in places)
                backs = sorted(numbers[id].back for id in record["cards"]) if shows else None
                ids = record["cards"] if named else None
                found.append((record["from"], record["to"], record.get("end"), len(record["cards"]), ids, backs))
            elif record["event"] == "turn":
                found.append(record)
            elif record["event"] == "move" and event.cause not in self.secret:
                cards = {card.id for card in self.game.rules.cards}
                said = [value for value in record["choice"].values() if str(value) not in cards]
                said = [] if record["move"] in self.whispers and record["player"] != self.seat else said
                found.append((record["player"], record["move"], [v for v in said if not isinstance(v, list)]))
            elif record["event"] == "keep":
                seen_by = self.game.rules.keeps[record["name"]].seen_by
                if seen_by == "all" or (seen_by == "owner" and record["of"] == self.seat):
                    found.append((record["name"], record.get("of"), record["value"]))
            elif event.told is not None:
                figures = event.told.whole.values.items()
                words = [value for name, value in figures if name not in self.secrets and not self.is_hidden(value)]
                found.append((event.told.whole.msgid, str(words)))
        return found

    def is_hidden(self, value: Any) -> bool:
        """Whether a value in a sentence is a card, or several, that the seat does not see before or after the move."""
        parts = value if isinstance(value, list) else [value]
        names = {str(self.game.program.teller.card(card.index)): card.index for card in self.game.rules.cards}
        cards = [names[str(part)] for part in parts if str(part) in names]
        return bool(cards) and not self.shown().issuperset(cards)

    def shown(self) -> set[int]:
        """The cards that the seat has seen before the last move, in its course, or after it."""
        by_name = self.game.layout.by_name
        found = {
            card
            for state in (self.before, self.state)
            for index, place in enumerate(state.places)
            for card in place
            if self.sees_card(state, index, card)
        }
        moved = [event.record for event in self.events if event.record["event"] == "cards"]
        ids = {
            id
            for r in moved
            if self.sees(by_name[r["from"]]) or self.sees(by_name[r["to"]]) or r.get("face") == "up"
            for id in r["cards"]
        }
        ids |= {id for event in self.events if event.record["event"] == "turn" for id in event.record["cards"]}
        return found | {card.index for card in self.game.rules.cards if card.id in ids}

    # ---- what the program gives to the seat -------------------------------------------------------------------------

    def given(self) -> dict[str, Any]:
        game, seat = self.game, self.seat
        view = game.view(self.state, seat)
        told = [str(event.told.to(seat)) for event in self.events if event.told is not None]
        given: dict[str, Any] = {"view": view, "told": told, "seen": self.company.sight.events(self.events, seat)}
        if view.to_move == seat:
            refused = self.moves.refused("", self.state, view)
            given["prompt"] = [line.plain for line in self.moves.listed(view.moves, self.state, view, 80, 0)]
            given["completions"] = self.moves.completions(view.moves)
            given["refused"] = refused
            given["reasons"] = self.moves.reasons(refused[:5], self.state)
            given["opinions"] = self.company.bots[seat].opinions(view)
        return given


def drawer(game: Game) -> Drawer:
    return Drawer(game.rules, Look(unicode=False))


def exchanged(table: Table, rng: Random) -> State:
    """The position with two cards exchanged that the seat does not see, where their backs do not tell."""
    game, state = table.game, table.state
    hidden = [
        (card, index)
        for index, place in enumerate(state.places)
        for card in place
        if not table.sees_card(state, index, card)
    ]
    rng.shuffle(hidden)
    if rng.random() < 0.5:  # the first and last cards of a place matter more than those between them
        hidden.sort(key=lambda pair: pair[0] not in (state.places[pair[1]][0], state.places[pair[1]][-1]))
    for number, (a, here) in enumerate(hidden[:8]):
        for b, there in hidden[number + 1 :]:
            shown = any(game.layout.place_of[place].backs_by == "all" for place in (here, there))
            if not shown or game.rules.cards[a].back == game.rules.cards[b].back:
                swap = {a: b, b: a}
                places = [[swap.get(card, card) for card in place] for place in state.places]
                for index, ordered in enumerate(game.layout.ordered):
                    if not ordered:
                        places[index].sort()
                owners = list(state.owners)
                owners[a], owners[b] = owners[b], owners[a]
                keeps, faces = list(state.keeps), game.layout.faces
                if faces is not None:
                    keeps[faces + a], keeps[faces + b] = keeps[faces + b], keeps[faces + a]
                changed = state._replace(places=tuple(map(tuple, places)), owners=tuple(owners), keeps=tuple(keeps))
                strange = not table.known & {a, b}
                return changed._replace(slots=renamed(state.slots, swap, table)) if strange else changed
    return state


def whispered(table: Table, rng: Random) -> State:
    """The position with something else kept that the seat does not know."""
    keeps = list(table.state.keeps)
    for index, keep in enumerate(table.game.layout.keep_of):
        if not table.knows(index) and keep.name != FACES and keep.type.kind == "number" and rng.random() < 0.5:
            keeps[index] = rng.randint(0, 6)
    return table.state._replace(keeps=tuple(keeps))


def renamed(slots: tuple[Any, ...], swap: dict[int, int], table: Table) -> tuple[Any, ...]:
    """The names of cards go with the cards, or stay with the places where they lay."""
    kinds = card_slots(table.game)
    return tuple(
        swap.get(value, value) if slot in kinds else value
        for slot, value in zip(table.game.program.core.persistent, slots, strict=True)
    )


def card_slots(game: Game) -> set[int]:
    from teufelswerk import model
    from teufelswerk.model.walk import statements

    slots = {step.slot for step in game.rules.steps.values() if step.parameter and step.parameter.kind == "card"}
    for step in game.rules.steps.values():
        named = (s for s in statements(step.body) if isinstance(s, model.SetLocal))
        slots |= {s.slot for s in named if s.value.type.kind == "card"}
    return slots


def pairs(game: Game, seat: int, seed: int, kind: str) -> Iterator[tuple[Table, Table]]:
    """Two tables that the seat cannot tell apart, from move to move; once it can, they begin anew from there."""
    rng, events = Random(seed), list[Event]()
    state = game.start(seed, events)
    one, two = Table(game, seat, kind, state, events), Table(game, seat, kind, state, events)
    for _ in range(LONGEST):
        for _ in range(rng.randrange(4)):
            two.state = exchanged(two, rng)
        two.state = whispered(two, rng)
        if one.seen() != two.seen():
            one, two = Table(game, seat, kind, one.state, []), Table(game, seat, kind, one.state, [])
        yield one, two
        moves = game.legal_moves(one.state)
        if not moves:
            return
        move = any_of(moves, rng)
        other = move if move.player == seat else another(game, two.state, move, rng)
        if other is None:
            return
        one.play(move)
        two.play(other)


def any_of(moves: list[Move], rng: Random) -> Move:
    """One of them; to pass is as likely as to play one of many cards."""
    verb = rng.choice(sorted({move.verb for move in moves}))
    return rng.choice([move for move in moves if move.verb == verb])


def another(game: Game, state: State, move: Move, rng: Random) -> Move | None:
    """What the same player may do at the other table: what is decided in secret may be anything."""
    if game.program.turns[state.pc].at_once is not None:
        return any_of(game.legal_moves(state), rng)
    likely = [other for other in game.legal_moves(state) if other.verb == move.verb]
    return rng.choice(likely) if likely else None


def compare(game: Game, seed: int) -> int:
    """How many positions were looked at; every one of them has to be the same from the seat."""
    looked, kind = 0, ("careful", "expert")[seed % 2]
    for seat in range(game.players):
        try:
            for one, two in pairs(game, seat, seed * 7 + seat, kind):
                first, second = one.given(), two.given()
                for what in first:
                    assert first[what] == second[what], f"seat {seat} is given another {what}"
                looked += one.state != two.state
        except RuleError:
            continue  # an exchange may make a rule ask for what is not there
    return looked


def generated(seed: int, folder: Path) -> Game:
    path = folder / "generated.rules.md"
    path.write_text(rule_file(seed), encoding="utf-8")
    loaded = load(path)
    errors = [render(found, str) for found in loaded.diagnostics if found.is_error or found.code == "hidden-cards"]
    assert loaded.model is not None and not errors, f"seed {seed}: {errors[:1]}"
    return Game(loaded.model, 2 + seed % 2)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots think little, and by plain Python, which is made sooner than machine code."""
    for kind in ("careful", "expert"):
        monkeypatch.setattr(bot_class(kind), "looks", LOOKS)
    monkeypatch.setattr(thinking_bots, "SLOWNESS", 1)
    monkeypatch.setattr(thinking_bots, "steps_of", cache(lambda game: Steps(game.rules, game.players, "python")))


@pytest.mark.parametrize("part", range(5))
def test_what_a_seat_cannot_tell_apart_is_the_same_to_it(part: int, tmp_path: Path) -> None:
    looked = sum(compare(generated(seed, tmp_path), seed) for seed in range(part * 30, part * 30 + 30))
    assert looked > 100


@pytest.mark.slow
@pytest.mark.parametrize("part", range(50))
def test_so_it_is_in_many_games(part: int, tmp_path: Path) -> None:
    for seed in range(1000 + part * 100, 1100 + part * 100):
        compare(generated(seed, tmp_path), seed)


# ---- by hand --------------------------------------------------------------------------------------------------------

GIFTS = """# Gifts

For {min-players} players.

    players 3

## Cards

    cards
        number: 1 to 12

## Game

    place deck, seen by nobody
    place vault, seen by nobody
    place hand of each player, seen by owner
    keep score of each player: 0
    game:
        cards go to deck
        shuffle deck
        deal 3 from deck to each hand
        secret = first of deck
        secret goes to vault
        each player
            player gives
        each player
            player tucks
        if number of secret is above 6
            each player
                score becomes score + 1
        highest score wins
    player gives:
        "Give {left} a card."
        choose card from hand
        number of card must be above 2 if able
            "{card} is too low."
        card goes to hand of left
            "{player} gives {card} to {left}."
    player tucks:
        "Put cards away."
        choose 2 cards from hand
        cards go to vault
            "{player} puts {cards} away."
"""


def gifts(folder: Path) -> Game:
    path = folder / "gifts.rules.md"
    path.write_text(GIFTS, encoding="utf-8")
    loaded = load(path)
    assert loaded.model is not None, [str(found.message) for found in loaded.diagnostics]
    return Game(loaded.model, 3)


def test_a_name_for_a_hidden_card_is_guessed_no_better_than_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_class("careful"), "looks", 3_000)
    right = []
    for name in ("guess", "guess2"):
        game = Game(load_game(str(HOSTILE / f"{name}.rules.md")), 2)
        outcome = game.outcome(Company(game, {0: "careful", 1: "careful"}, 3).play(3))
        assert outcome is not None
        right.append(sum(outcome.keeps["score"]))
    assert max(right) < 12, "of 40 guesses, a tenth are right by chance"


def test_a_card_that_was_set_aside_is_the_one_that_lies_there(tmp_path: Path) -> None:
    game = gifts(tmp_path)
    events: list[Event] = []
    state = game.start(3, events)
    company = Company(game, dict.fromkeys(range(3), "careful"), 1)
    company.tell(state, events)
    vault = game.layout.by_name["vault"]
    secrets = set()
    for seat, bot in company.bots.items():
        assert isinstance(bot, ThinkingBot)
        view = game.view(state, seat)
        for number in range(20):
            world = bot.knowledge.imagine(view, Random(number))
            assert world is not None
            assert set(world.places[vault]) <= set(world.slots), "the name is for the card in the vault of that world"
            secrets.add(world.places[vault])
    assert len(secrets) > 5


def test_a_card_that_goes_out_of_sight_is_named_only_to_those_who_see_it(tmp_path: Path) -> None:
    game = gifts(tmp_path)
    state = game.start(3)
    seen: list[list[str]] = []
    while game.player(state) is not None:
        events: list[Event] = []
        state = game.apply(state, game.legal_moves(state)[0], events)
        told = next(event.told for event in events if event.told is not None)
        seen.append([str(told.to(seat)) for seat in (NOBODY, 0, 1, 2)])
        in_german = Translator("de")(told.to(NOBODY), ["Ida", "Tom", "Eva"])
        assert ("eine Karte" if len(seen) <= 3 else "2 Karten") in in_german
    for number, (watching, *seats) in enumerate(seen):
        giver = number % 3
        instead = "a card" if number < 3 else "2 cards"
        assert instead in watching
        for seat in range(3):
            knows = seat == giver or (number < 3 and seat == (giver + 1) % 3)
            assert (instead not in seats[seat]) == knows


def test_a_secret_number_is_known_to_its_owner_alone() -> None:
    game = Game(load_game(str(FIXTURES / "auction.rules.md")), 3)
    state, chips = game.start(4), game.layout.keep_base["chips"]
    assert [game.view(state, seat).keeps["chips"] for seat in (NOBODY, 0, 2)] == [
        (None, None, None), (20, None, None), (None, None, 20),
    ]  # fmt: skip
    invited = game.program.teller.invitation(game.thaw(state), "bids", 0)
    assert invited is not None
    assert str(invited.to(0)) == "You have 20 left. How many do you bid?"
    assert str(invited.to(1)) == "You have something left. How many do you bid?"
    bot = Company(game, {0: "careful"}, 1).bots[0]
    assert isinstance(bot, ThinkingBot)
    rich = state._replace(keeps=(*state.keeps[: chips + 1], 999, *state.keeps[chips + 2 :]))
    world = bot.knowledge.imagine(game.view(rich, 0), Random(1))
    assert world is not None and 999 not in world.keeps


def test_cards_that_the_others_see_are_hidden_from_their_owner() -> None:
    game = Game(load_game(str(FIXTURES / "forehead.rules.md")), 2)
    state = game.start(4)
    seen = [
        [game.view(state, seat).places[f"brow[{owner}]"].cards is not None for owner in range(2)] for seat in (0, 1)
    ]
    assert seen == [[False, True], [True, False]]
    assert game.view(state, NOBODY).places["brow[0]"].cards is None


def test_who_cannot_see_a_card_cannot_choose_it_and_what_is_proposed_works(tmp_path: Path) -> None:
    text = (HOSTILE / "leak.rules.md").read_text(encoding="utf-8")
    found = [d for d in load(HOSTILE / "leak.rules.md").diagnostics if d.is_error]
    assert [d.code for d in found] == ["unseen-choice"]
    (proposed,) = [part for part in str(found[0].help).split("`") if part.startswith("choose ")]
    path = tmp_path / "blind.rules.md"
    path.write_text(text.replace("choose card from hand of left", proposed), encoding="utf-8")
    loaded = load(path)
    assert loaded.model is not None and not [d for d in loaded.diagnostics if d.is_error]
    game = Game(loaded.model, 2)
    assert game.random_game(1).winners
    assert [game.choice(move) for move in game.view(game.start(1), 0).moves] == [{"card": n} for n in (1, 2, 3)]


BLUFFS = """# Bluffs

For {min-players} players.

    players 2

## Cards

    cards
        number: 1 to 6

## Game

    place hand of each player, seen by owner
    place deck, seen by nobody
    keep score of each player: 0
    game:
        cards go to deck
        shuffle deck
        deal 3 from deck to each hand
        ROUND
        highest score wins
    player bluffs:
        "Bluff."
        choose card from hand
        if number of card is above 6
            score becomes score + 1
    player waits:
        "Wait."
"""


@pytest.mark.parametrize(
    "round",
    [
        ["each player at once", "    player bluffs or waits"],
        ["each player at once", "    player bluffs or waits", "each player", "    player waits"],
        ["go round from random player until all pass", "    each player at once", "        player bluffs or waits",
         "    player waits"],
    ],
    ids=["before the end", "before a turn", "in a lap"],
)  # fmt: skip
def test_nobody_is_told_whether_others_have_passed_in_secret(round: list[str], tmp_path: Path) -> None:
    path = tmp_path / "bluffs.rules.md"
    path.write_text(BLUFFS.replace("ROUND", "\n        ".join(round)), encoding="utf-8")
    rules = load(path).model
    assert rules is not None
    game = Game(rules, 2)
    views = []
    for other in ("bluffs", "waits"):
        state = game.start(3)
        for verb in ("waits", other):
            state = game.apply(state, next(move for move in game.legal_moves(state) if move.verb == verb))
        assert state.passing == (other == "waits")
        views.append(game.view(state, 0))
    assert views[0] == views[1]
