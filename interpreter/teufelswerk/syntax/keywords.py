"""The words that mean something to the grammar, and the numbers that people write in letters."""

from __future__ import annotations

RESERVED = frozenset(
    "above after all allowed always and at"
    " back becomes below blindly by"
    " cards choose count"
    " deal"
    " each else evenly every everyone exactly"
    " first from"
    " given go goes"
    " highest"
    " if in is"
    " just"
    " keep"
    " larger last least lose loses lowest"
    " must"
    " never no nobody not now"
    " of or"
    " pays place players"
    " random refused remainder repeat rounded"
    " scene shuffle smaller some sum"
    " there times to"
    " until up"
    " variant"
    " was where win wins without".split()
)
"""Keywords that stand where a name could stand too, so that no name can be spelled like them."""

KEYWORDS = RESERVED | frozenset(
    "able backs be chosen down edition ends hold left most once pass round seen shown shows sides then two with".split()
)

ORDINALS = {
    word: position
    for position, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split())
} | {"last": -1}
"""Words for a position, from 0 on or from the end."""

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
}
