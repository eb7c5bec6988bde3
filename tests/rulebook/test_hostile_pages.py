"""Web pages made from somebody else's rule file: its words are shown as words, and nothing on the page acts."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from shipped import PATHS

__all__ = ["in_process"]

ACTIVE = "<script>alert()</script><img src=x onerror=alert()></title></style></svg></p>]]>&lt;i&gt; [x](javascript:a)"
"""What would act wherever a page took it for more than words."""
QUOTED = f"{ACTIVE} ' onload='alert()"
GAME = f"""# Game {ACTIVE}

An *evil {ACTIVE}* game, `{ACTIVE}` with {{size}} cards for {{min-players}} players.

    players 2

## Cards {ACTIVE}

    cards
        number: 1 to 20
        "{QUOTED} {{number}}"

## Play

{ACTIVE} {{size}}.

    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep score of each player: 0
    size = 3
    game:
        cards go to deck
        shuffle deck
        deal size from deck to each hand
        repeat size times
            each player
                player plays
        lowest score wins
    player plays:
        "{QUOTED}"
        choose card from hand
        number of card must not be 1 if able
            "{QUOTED}"
        card goes to table
            "{{player}} {QUOTED} {{card}}."
        score becomes score + number of card

## Example: {ACTIVE}

{{Ann}} {ACTIVE}.

    scene game: Ann, Ben
    given hand of Ann: 1, 2, 3
    refused Ann plays 1
"""
PAGES = {
    "rulebook": ["rulebook", "evil.rules.md", "--clauses", "-o"],
    "report": ["report", "evil.rules.md", "--games", "2", "--jobs", "1", "-o"],
    "report of a variant": ["report", "evil.rules.md", "evil-variant.rules.md", "--games", "2", "--jobs", "1", "-o"],
    "sweep": ["sweep", "evil.rules.md", "--over", "size=2,3", "--games", "2", "--jobs", "1", "--html"],
}
LEADING = ("href", "xlink:href", "src", "srcset", "action", "formaction", "data")
HARMLESS_TAGS = """
    a article aside b body br caption circle code col colgroup dd details div dl dt em figcaption figure footer g h1 h2
    h3 h4 head header hr html i li line main meta nav ol p path polygon polyline pre rect section small span strong
    style sub summary sup svg table tbody td text tfoot th thead title tr tspan ul desc defs use symbol
""".split()


class Page(HTMLParser):
    """Everything on a page that could act."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.acting: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in HARMLESS_TAGS:
            self.acting.append(tag)
        for name, value in attrs:
            leads_away = name in LEADING and not (value or "").startswith("#")
            if leads_away or name.startswith("on") or (name == "style" and "alert" in (value or "")):
                self.acting.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    (tmp_path / "evil.rules.md").write_text(GAME, encoding="utf-8")
    variant = f"# Other {ACTIVE}\n\n{ACTIVE}\n\n    variant of evil\n    size = 2\n"
    (tmp_path / "evil-variant.rules.md").write_text(variant, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", PAGES)
def test_nothing_on_a_page_acts(run: Run, name: str, evil: Path) -> None:
    said = run(*PAGES[name], "page.html")
    assert said.code == 0, said.err
    page = Page((evil / "page.html").read_text(encoding="utf-8"))
    assert page.acting == []
    assert "<script>alert()</script>" in page.words  # it is there, to be read


def test_nothing_of_a_catalog_acts(run: Run, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    shutil.copy(PATHS["little-devils"], tmp_path / "own.rules.md")
    template = (root / "locales" / "en" / "LC_MESSAGES" / "teufelswerk.po").read_text(encoding="utf-8")
    evil = re.sub(r'^msgstr "(?=.)', f'msgstr "{ACTIVE} ', template.replace('msgstr ""', 'msgstr  ""'), flags=re.M)
    assert evil.count(ACTIVE) > 50
    home = tmp_path / "locales" / "en" / "LC_MESSAGES"
    home.mkdir(parents=True)
    (home / "teufelswerk.po").write_text(evil, encoding="utf-8")
    for name in ("rulebook", "report"):
        words = ["own.rules.md" if word.startswith("evil") else word for word in PAGES[name]]
        assert run(*words, "page.html").code == 0
        page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
        assert page.acting == [] and "<script>alert()</script>" in page.words
