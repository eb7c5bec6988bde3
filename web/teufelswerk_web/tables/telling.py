"""A table's game → what one reader is sent: the moments of a move, the choices, the score sheet, the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from teufelswerk.base.texts import Text
from teufelswerk.bots.foresight import MOST_REASONS, Foresight
from teufelswerk.bots.players import Bot
from teufelswerk.core.aim import aim_of
from teufelswerk.core.forms import Kept
from teufelswerk.interpreter.machine import Event, RuleError
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import View
from teufelswerk.rulebook.words import heading, term
from teufelswerk.sessions.session import Session
from teufelswerk.sessions.stages import Stage, stages
from teufelswerk.sessions.standing import deciding, ranking, sides_seated

from teufelswerk_web.wire.lexicon import Lexicon, thing
from teufelswerk_web.wire.scenes import Message, choices, flights, scene

RECENT = 12
"""How many sentences one is reminded of who comes to a game that goes on."""
MOST_HINTS = 5


class Telling:
    """Tells one game in one language; names are the players' as that language's readers know them."""

    def __init__(self, session: Session, lexicon: Lexicon, names: Sequence[str]) -> None:
        self.session = session
        self.game = session.game
        self.lexicon = lexicon
        self.names = names

    def say(self, text: Text) -> str:
        return self.lexicon.say(text, self.names)

    # ---- the table --------------------------------------------------------------------------------------------------

    def whole(self, view: View) -> Message:
        """The table as it stands, for whoever comes to it."""
        told = [self.say(told.to(view.seat)) for told in self.session.told[-RECENT:]]
        moment = {"scene": scene(self.lexicon, view, self.session.heaps, self.names), "told": told}
        return {"moments": [moment], "flights": [], **self.standing(view)}

    def move(self, before: View | None, after: View, events: Sequence[Event]) -> Message:
        """What a move and its consequences look like from a seat."""
        seen = self.session.company.sight.events(events, after.seat)
        moments = [self.moment(each) for each in stages(self.game, before, after, events)]
        return {"moments": moments, "flights": flights(self.lexicon, seen), **self.standing(after)}

    def moment(self, stage: Stage) -> Message:
        found: Message = {
            "scene": scene(self.lexicon, stage.view, self.session.heaps, self.names),
            "told": [self.say(text) for text in stage.told],
        }
        if stage.taken is not None:
            found["taken"] = stage.taken
        return found

    def standing(self, view: View) -> Message:
        found: Message = {"sheet": self.sheet()}
        if view.moves:
            found["choices"] = choices(self.lexicon, view, self.session.state, self.names)
        if view.winners is not None:
            found["over"] = {
                "ranking": [self.say(line) for line in ranking(self.game, self.session.state)],
                "winners": list(view.winners),
            }
        return found

    def sheet(self) -> list[Message]:
        """What decides the game, round by round, for each player or side."""
        rows = self.session.sheet
        found = []
        for name in deciding(self.game, rows[0] if rows else ()):
            values = [list(row[name]) for row in rows]
            sides = len(values[0]) != len(self.names)
            heads = [self.lexicon.translator.show(side, self.names) for side in sides_seated(self.game)]
            label = self.lexicon.capital(self.say(term(self.game.rules, name, "keep")))
            found.append({"label": label, "heads": heads if sides else list(self.names), "rows": values})
        return found

    # ---- questions --------------------------------------------------------------------------------------------------

    def why(self, view: View, card: str) -> list[str]:
        """Why a card may not be chosen now, in the words of the rules that refuse it; or which rule allows it."""
        rules = self.game.rules
        wanted = f"card:{card}"
        for move in view.moves:
            if wanted in self.pointed_at(move):
                allowed = self.say(heading(rules, rules.moves[move.verb].section))
                return [self.say(Text("{rule} allows it: {move}.", rule=allowed, move=self.move_words(move)))]
        found: dict[str, None] = {}
        for move in self.refused(view, wanted):
            refusal = self.game.refusal(self.session.state, move)
            title = self.say(heading(rules, rules.moves[move.verb].section))
            found[f"{title}: {self.say(refusal.reason)}"] = None
        return list(found) or [self.say(Text("You have no `{word}` to play here.", word=self.lexicon.card(card)))]

    def refused(self, view: View, wanted: str) -> list[Move]:
        """Moves with that card that could be made now if the rules allowed them."""
        machine = self.game.thaw(self.session.state)
        player, found = self.game.mover(machine), list[Move]()
        for verb in [verb for group in self.game.turn(machine).groups for verb in group]:
            code = self.game.code(verb)
            machine.slots[code.move.slot] = player
            rules = {choice.slot: choice for choice in self.game.rules.moves[verb].choices}

            def is_it(choice: Any, item: Any, rules: Any = rules) -> bool:
                return thing(self.game, rules[choice.slot], item) == wanted

            try:
                found += [Move(player, verb, picks) for picks in code.combinations(machine, is_it)]
            except RuleError:
                continue
        offered = set(view.moves)
        seen = [move for move in dict.fromkeys(map(self.game.as_seen, found)) if move not in offered]
        return [move for move in seen if wanted in self.pointed_at(move)]

    def pointed_at(self, move: Move) -> set[str]:
        found: set[str] = set()
        for choice, pick in zip(self.game.rules.moves[move.verb].choices, move.picks, strict=True):
            found |= {thing(self.game, choice, one) for one in (pick if isinstance(pick, tuple) else (pick,))}
        return found

    def move_words(self, move: Move) -> str:
        return self.lexicon.move(move, self.names)

    def hint(self, adviser: Bot, view: View) -> list[str]:
        """What a careful player would choose, what it expects of what it has compared, and what comes of the best."""
        opinions = adviser.opinions(view)
        best = opinions[0]
        lines = [self.say(Text("A careful player would choose: {move}.", move=self.move_words(best.move)))]
        if len(opinions) > 1 and best.expected is not None:
            shown = [opinion for opinion in opinions if opinion.trials][:MOST_HINTS]
            lines.append(self.say(Text("What you would have after this round ({what}):", what=self.outcome)))
            reasons = Foresight(self.game, adviser, view).outcomes([opinion.move for opinion in shown[:MOST_REASONS]])
            for opinion in shown:
                words = Text(
                    "{move}: {expected}; best in {n} of 10 deals",
                    move=self.move_words(opinion.move),
                    expected=float(opinion.expected or 0),
                    n=round(10 * (opinion.best or 0)),
                )
                lines.append(self.say(words))
                lines += [self.say(foreseen.counted) for foreseen in reasons.get(opinion.move, ())]
        return lines

    @cached_property
    def outcome(self) -> str:
        aim = aim_of(self.game.program.core)
        if aim is not None and isinstance(aim.by, Kept):
            return self.say(term(self.game.rules, aim.by.keep.name, "keep"))
        return self.say(Text("the result"))

    def taken(self, before: State, after: State, events: Sequence[Event], seat: int) -> Message | None:
        """What lay on the table before it was taken away."""
        found = stages(self.game, self.game.view(before, seat), self.game.view(after, seat), events)
        return next((self.moment(each) for each in reversed(found) if each.taken is not None), None)
