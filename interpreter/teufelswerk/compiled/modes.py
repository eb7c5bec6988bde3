"""What a game that can be taken up at a decision is asked for, and what it keeps of its course."""

from __future__ import annotations

from teufelswerk.compiled import instructions as c

PLAY, ROUND, AHEAD, SHOWN, STEP, LEGAL, DESCRIBE, STANDING, SCORE = range(9)
"""To be played at random to its end, or as long as what tells rounds apart is what is given; to make the choice whose
number is given, if one is, and then to be played at random until chance is asked; to make that choice, tell which it
was, and stop, or before that where chance is asked; to make that choice and no more; who decides, and how many choices
there are; which one has the number; how far everyone has come in what decides the end; what the move made last promises
the player on the seat that is given, by learned weights."""
NONE_GIVEN = c.Number(-1)
MODE, GIVEN, PC = c.Var("mode"), c.Var("given"), c.Var("pc", kept=True)
LEFT = c.Var("moves_left")
"""After so many decisions it stops at the next one."""
NOWHERE = c.Number(-1)
"""The decision of a game that was left before chance was asked: it cannot be taken up again."""
LOOKED_AT = c.Var("looked_at", kept=True)
"""How many choices there have been in the game so far."""
STEPS = c.Var("steps", kept=True)
"""How often something was repeated since somebody decided."""
EFFORT = c.Var("effort", kept=True)
"""How many choices there were, and repetitions, in a game that can be taken up: what thinking about it has cost."""
LOOKS = 8
"""To look at so many things, where they are counted, takes as much as a choice."""
WINNERS = c.Var("winners", "i", True)
PASSING = c.Var("passing", "i", True)
DECISION = c.Number(1)


def stop_before_chance() -> c.Body:
    in_mind = c.either(c.compare("==", MODE, AHEAD), c.compare("==", MODE, SHOWN))
    return c.when(in_mind, [c.Set(PC, NOWHERE), c.Return(c.ZERO)])
