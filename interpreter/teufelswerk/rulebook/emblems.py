"""The stock of a card printer: colours by their names, suits, court cards, and small emblems for common words."""

from __future__ import annotations

COLOURS = {
    "red": "#b3261e",
    "scarlet": "#b3261e",
    "orange": "#c8640a",
    "yellow": "#a97800",
    "gold": "#a97800",
    "green": "#23713f",
    "teal": "#0f7076",
    "turquoise": "#0f7076",
    "blue": "#1f5aa6",
    "purple": "#6f3196",
    "violet": "#6f3196",
    "pink": "#b83a6d",
    "brown": "#7a4a22",
    "grey": "#63615c",
    "gray": "#63615c",
    "silver": "#63707c",
    "white": "#7d766a",
    "black": "#26231f",
}
OTHERS = ("#1f5aa6", "#b3261e", "#23713f", "#a97800", "#6f3196", "#0f7076", "#b83a6d", "#7a4a22")
"""For names that are no colours but take the place of one."""
INK = "#26231f"

SUITS = {"hearts": "red", "diamonds": "red", "spades": "black", "clubs": "black"}
COURT = {"jack": "J", "knave": "J", "queen": "Q", "king": "K", "ace": "A", "joker": "★"}

EMBLEMS = {
    "heart": "M12 21C5 15 2 11.5 2 7.5A5.2 5.2 0 0 1 12 5.5 5.2 5.2 0 0 1 22 7.5C22 11.5 19 15 12 21Z",
    "diamond": "M12 1.5 20 12 12 22.5 4 12Z",
    "spade": "M12 1.5C9 6 3 9.5 3 14a4.5 4.5 0 0 0 7.6 3.2C10.4 19.5 9.6 21 8 22.5h8c-1.6-1.5-2.4-3-2.6-5.3A4.5 4.5 0 0 0"
    " 21 14C21 9.5 15 6 12 1.5Z",
    "club": "M12 1.5a4.6 4.6 0 0 0-3.6 7.4A4.6 4.6 0 1 0 10.7 16.6C10.5 19 9.7 21 8 22.5h8c-1.7-1.5-2.5-3.5-2.7-5.9a4.6"
    " 4.6 0 1 0 2.3-7.7A4.6 4.6 0 0 0 12 1.5Z",
    "star": "M12 1.8l3 6.8 7.2.7-5.4 4.9 1.6 7.2L12 17.6l-6.4 3.8 1.6-7.2L1.8 9.3 9 8.6Z",
    "coin": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 3.2a6.8 6.8 0 1 1 0 13.6 6.8 6.8 0 0 1 0-13.6Z",
    "crown": "M2 8l5 4 5-8 5 8 5-4-2.4 12H4.4Z",
    "devil": "M3 1.5C3.2 5 4 7 5.6 8.2A9 9 0 1 0 18.4 8.2C20 7 20.8 5 21 1.5 18.6 3 16.6 4.6 15.6 6.2a9 9 0 0 0-7.2 0C7.4"
    " 4.6 5.4 3 3 1.5ZM6.6 11.4l4 2c-.4 1.5-1.3 2-2.2 1.8-1-.2-1.8-1.6-1.8-3.8ZM17.4 11.4l-4 2c.4 1.5 1.3 2 2.2 1.8 1-.2"
    " 1.8-1.6 1.8-3.8ZM7.2 17c3.2 1.5 6.4 1.5 9.6 0-1 2.6-2.8 3.7-4.8 3.7S8.2 19.6 7.2 17Z",
    "angel": "M12 1c3.3 0 6 .9 6 2s-2.7 2-6 2-6-.9-6-2 2.7-2 6-2Zm0 1c-2.2 0-4 .4-4 1s1.8 1 4 1 4-.4 4-1-1.8-1-4-1ZM12"
    " 6.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM9.6 12.6C6 12 3 10.5 1 8c0 5 2.4 9 7 10l-1.5 5h11L16 18c4.6-1"
    " 7-5 7-10-2 2.5-5 4-8.6 4.6-.7.5-1.5.8-2.4.8s-1.7-.3-2.4-.8Z",
    "bull": "M2 3c-.6 5 1.4 7.6 4.6 8.2L8 17.5c.6 3 2 5 4 5s3.4-2 4-5l1.4-6.3C20.6 10.6 22.6 8 22 3c-1.6 3-3.4 4-6"
    " 4H8C5.4 7 3.6 6 2 3Z",
    "lozenge": "M12 3l7 9-7 9-7-9Z",
}
"""Each in a square of 24 units, filled by the even-odd rule."""
SAME = {"chip": "coin", "penny": "coin", "imp": "devil", "demon": "devil", "ox": "bull", "cow": "bull", "point": "star"}


def emblem_for(word: str) -> str | None:
    """The emblem for a word of the declarations, in the singular or the plural."""
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        name = SAME.get(form, form)
        if name in EMBLEMS:
            return name
    return None


def colour_for(word: str, index: int) -> str:
    return COLOURS.get(word) or OTHERS[index % len(OTHERS)]
