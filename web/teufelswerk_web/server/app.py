"""The application: the page, the pictures of cards, the rulebook, and the sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from teufelswerk.language.i18n import edition_in, languages
from teufelswerk.loading.library import load
from teufelswerk.rulebook.content import book_of
from teufelswerk.rulebook.pictures import card_svg
from teufelswerk.rulebook.render import render

from teufelswerk_web.server.guard import DOCUMENT_POLICY, Guard
from teufelswerk_web.server.limits import Allowance
from teufelswerk_web.server.sockets import Sockets
from teufelswerk_web.tables.house import House
from teufelswerk_web.wire.lexicon import BACK, translator_of

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
LONG = "public, max-age=86400"
"""A picture is named after the rules that it belongs to, so it never changes under its name."""


class Pages:
    """Answers everything that is no socket."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.assets = {path.name: path.read_bytes() for path in files("teufelswerk_web").joinpath("assets").iterdir()
                       if path.name.rpartition(".")[2] in TYPES}  # fmt: skip
        self.books: dict[tuple[str, str], bytes] = {}
        self.pictures: dict[tuple[str, str, str], bytes] = {}

    async def page(self, request: Request) -> Response:
        return self.asset("index.html")

    async def file(self, request: Request) -> Response:
        return self.asset(request.path_params["name"])

    def asset(self, name: str) -> Response:
        if name not in self.assets:
            return PlainTextResponse("not found", 404)
        kind = TYPES[name.rpartition(".")[2]]
        return Response(self.assets[name], media_type=kind, headers={"cache-control": "no-cache"})

    async def card(self, request: Request) -> Response:
        """A card's front by its number, or its back."""
        digest, language, name = (request.path_params[part] for part in ("digest", "language", "name"))
        key = digest, language, name
        if key not in self.pictures and (drawn := self.drawn(digest, language, name)) is not None:
            self.pictures[key] = drawn
        if key not in self.pictures:
            return PlainTextResponse("not found", 404)
        return Response(self.pictures[key], media_type=TYPES["svg"], headers={"cache-control": LONG})

    def drawn(self, digest: str, language: str, name: str) -> bytes | None:
        lexicon = self.house.lexicon_of(digest, language)
        number = name.removeprefix(BACK)
        if lexicon is None or not number.isdecimal() or len(number) > 4 or int(number) >= len(lexicon.rules.cards):
            return None
        card = lexicon.rules.cards[int(number)]
        face = lexicon.faces.back(card) if name.startswith(BACK) else lexicon.faces.face([card.index])
        return card_svg(face, lexicon.say, plain=True).encode()

    async def book(self, request: Request) -> Response:
        digest, language = request.path_params["digest"], request.path_params["language"]
        rules = self.house.games.get(digest)
        if rules is None or language not in languages():
            return PlainTextResponse("not found", 404)
        if (digest, language) not in self.books:
            self.books[digest, language] = await asyncio.to_thread(self.bound, digest, language)
        headers = {"content-security-policy": DOCUMENT_POLICY}
        return Response(self.books[digest, language], media_type=TYPES["html"], headers=headers)

    def bound(self, digest: str, language: str) -> bytes:
        rules = self.house.games[digest]
        loaded = load(rules.source.path, rules.changed_values)
        return render(book_of(rules, loaded.scenes, edition_in(language)), "html", translator_of(rules, language))


def application(house: House, hosts: Collection[str], allowance: Callable[[], Allowance] = Allowance) -> Guard:
    pages = Pages(house)
    routes = [
        Route("/", pages.page),
        Route("/assets/{name:str}", pages.file),
        Route("/cards/{digest:str}/{language:str}/{name:str}.svg", pages.card),
        Route("/book/{digest:str}/{language:str}", pages.book),
        WebSocketRoute("/socket", Sockets(house, allowance).serve),
    ]
    return Guard(Starlette(routes=routes), hosts)
