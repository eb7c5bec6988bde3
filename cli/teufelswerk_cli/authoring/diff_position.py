"""Shows what playing two games side by side has found: how they begin, and scenes that tell them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from teufelswerk.base.texts import Seat, Text, won_by
from teufelswerk.compare.find_scenes import Comparison
from teufelswerk.compare.outcomes import Key, Outcome, Rank
from teufelswerk.compare.same_position import Beginning
from teufelswerk.compare.scene_lines import named
from teufelswerk.compare.shrink_scene import Telling
from teufelswerk.compare.staging import Run
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move
from teufelswerk.model import NUMBER, Keep, Model, Type
from teufelswerk.model import Key as FamilyKey
from teufelswerk.rulebook.words import person, place_term, term, verb_term

from teufelswerk_cli.console.speech import _, say, translator

MOST = 12
"""So many things are listed; of more it is said how many there are."""
SIGNS = {None: " ", 0: "-", 1: "+"}


def play(found: Comparison, rules: Model, titles: Sequence[str]) -> Iterator[str]:
    """What was found, for people who know the rules of the first game."""
    for players, changes in list(found.beginnings.items())[:1]:
        yield _("At the beginning, with {players} {players:player|players}:", players=players)
        yield from (f"  {beginning(rules, change)}" for change in changes)
    for telling in (found.allowed, found.happens):
        if telling is not None:
            yield ""
            yield from _Shown(telling, titles).lines()


def beginning(rules: Model, change: Beginning) -> str:
    """How many cards lie in each place of a family, or what is kept, in the first game and in the second."""
    if change.sort == "place":
        name, type, key = say(place_term(rules, change.name)), NUMBER, rules.places[change.name].key
        if change.first == change.second:
            return _("{name}: other cards", name=name)
    else:
        keep = rules.keeps[change.name]
        name, type, key = say(term(rules, change.name, "keep")), keep.type, keep.key
    both = []
    for values in (change.first, change.second):
        words = [value_in_words(rules, type, value, ()) for value in values]
        same = key is not None and len(words) > 1 and len(set(words)) == 1
        both.append(_("{value} each", value=words[0]) if same else "/".join(words))
    return f"{name}: {both[0]} → {both[1]}"


def value_in_words(rules: Model, type: Type, value: Any, names: Sequence[str]) -> str:
    """What is kept, as records have it, in words."""
    if value is None:
        return "–"
    if type.kind == "player":
        return translator().show(Seat(value), names)
    if type.kind == "name" and not str(value).isdigit():
        return say(Text(str(value), msgctxt=f"{rules.family}: {type.of}"))
    return str(value)


def shortened(items: Sequence[str]) -> str:
    """A list of things; if it is long, its beginning and how many more there are."""
    if len(items) <= MOST:
        return ", ".join(items)
    return _("{items} and {n} more", items=", ".join(items[:MOST]), n=len(items) - MOST)


class _Shown:
    """One scene in words."""

    def __init__(self, telling: Telling, titles: Sequence[str]) -> None:
        self.telling = telling
        self.titles = titles
        self.staging, self.difference = telling.staging, telling.difference
        self.names = [say(person(name)) for name in self.staging.people]

    def lines(self) -> Iterator[str]:
        yield self.heading()
        yield ""
        for line in self.telling.scene():
            yield f"{SIGNS[line.only]}   {line.text}"
        yield ""
        if self.staging.onward:
            yield _("When `{step}` is over and the game goes on:", step=self.staging.step)
        for number, run in enumerate(self.difference.runs):
            if self.telling.alone not in (None, number):
                continue
            yield f"{SIGNS[number]} {self.titles[number]}"
            side = self.allowed(run) if self.difference.rank is None else self.outcome(number)
            yield from (f"    {line}" for line in side)

    def heading(self) -> str:
        players = {run.player for run in self.difference.runs}
        if self.telling.alone is not None:
            player = self.names[self.difference.runs[0].player or 0]
            return _("Here {player} may choose a card that only one of the games has:", player=player)
        if self.difference.rank is Rank.OWN:
            return _("Nothing that both games have differs; only this is remembered:")
        if self.difference.rank is None and None not in players and len(players) == 1:
            return _("Here {player} may do different things:", player=self.names[players.pop() or 0])
        if self.difference.rank is None:
            return _("Here the games go on differently:")
        if not self.staging.moves:
            return _("Here something else happens:")
        player = self.names[self.staging.moves[-1][0].player]
        return _("Here the same move of {player} comes to something else:", player=player)

    # ---- what may be done -------------------------------------------------------------------------------------------

    def allowed(self, run: Run) -> Iterator[str]:
        """The moves by their verbs; the ones that only this game allows first, if not all can be listed."""
        if run.stop == "end":
            yield _("`{step}` is over.", step=self.staging.step)
        if run.player is None:
            return
        if len({other.player for other in self.difference.runs}) > 1:
            yield _("It is the turn of {player}.", player=self.names[run.player])
        theirs = [move for other in self.difference.runs if other is not run for move in other.described]
        for verb in dict.fromkeys(move.verb for move in run.moves):
            words = say(verb_term(run.game.rules, verb))
            if not self.telling.moves_known:
                yield f"{words}: {self.invitation(run, verb)}".rstrip(": ")
                continue
            moves = [move for move in run.moves if move.verb == verb]
            if len(moves) > MOST:
                moves.sort(key=lambda move: run.game.describe(move) in theirs)
            yield f"{words}: {shortened([self.chosen(run.game, move) for move in moves])}".rstrip(": ")
        if not run.moves:
            yield _("nothing")

    def invitation(self, run: Run, verb: str) -> str:
        """The sentence that asks a player to make a move."""
        assert run.player is not None
        sentence = run.game.program.teller.invitation(run.machine, verb, run.player)
        return "" if sentence is None else say(sentence.whole, self.names)

    def chosen(self, game: Game, move: Move) -> str:
        """What a move chooses: its things one after the other, several chosen together joined by a plus."""
        choices = zip(game.rules.moves[move.verb].choices, move.picks, strict=True)
        chosen = [
            named(game, choice.source.type, pick, self.staging.people) or _("nothing") for choice, pick in choices
        ]
        return " ".join(words.replace(", ", " + ") for words in chosen)

    # ---- what has happened ------------------------------------------------------------------------------------------

    def outcome(self, number: int) -> Iterator[str]:
        """What is told; if that is the same in both games, what is kept, or else where cards lie."""
        found, game = self.difference, self.difference.runs[number].game
        mine, theirs = found.outcomes[number], found.outcomes[1 - number]
        shown: list[str] = []
        if found.told:
            shown += [say(text, self.names) for text in mine.told]
        elif found.kept:
            shown += [self.kept(game, key, mine.kept[key]) for key in found.kept]
        elif found.rank is Rank.OWN:
            shown += [self.kept(game, key, value) for key, value in mine.own.items()]
        elif mine.winners == theirs.winners:
            shown += [self.lying(game, key, mine) for key in found.lying]
        if mine.winners is None and theirs.winners is not None:
            shown.append(_("The game goes on."))
        elif mine.winners is not None and mine.winners != theirs.winners and not found.told:
            shown.append(say(won_by([self.names[seat] for seat in mine.winners])))
        yield from shown or [_("nothing more")]

    def kept(self, game: Game, key: Key, value: Any) -> str:
        keep: Keep = game.rules.keeps[key[0]]
        words = say(term(game.rules, keep.name, "keep")) + self.whose(game, keep.key, key[1])
        return f"{words}: {value_in_words(game.rules, keep.type, value, self.names)}"

    def lying(self, game: Game, key: Key, outcome: Outcome) -> str:
        place = game.rules.places[key[0]]
        words = say(place_term(game.rules, place.name))
        words += self.whose(game, place.key, key[1])
        return f"{words}: {shortened(outcome.lying[key]) or '–'}"

    def whose(self, game: Game, family: FamilyKey | None, key: int) -> str:
        """` (Ann)`, or nothing for what there is only one of."""
        if family is None:
            return ""
        return f" ({translator().show(game.program.teller.member(family, key), self.names)})"
