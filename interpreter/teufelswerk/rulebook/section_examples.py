"""The scenes of a section, run: which figures, pictures and remarks belong to each of its paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teufelswerk import model
from teufelswerk.base.limits import MAX_WORK_OF_BOOK
from teufelswerk.examples.open_games import OpenGames
from teufelswerk.examples.run_scenes import SceneRunner
from teufelswerk.model.scenes import Claim, GivenIs, LegalClaim, Line, SceneModel
from teufelswerk.rulebook.example_pictures import Painter, Picture
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.snapshots import Snapshot, is_public


class _Reader(SceneRunner):
    """Runs a scene to be shown. What holds however it goes on is searched only where values have been changed."""

    def claim_later(self, line: Claim) -> None:
        if self.rules.changed_values:
            super().claim_later(line)


class Run:
    """All scenes of one section, run: what belongs to each paragraph, by the lines of its clauses."""

    def __init__(
        self,
        games: OpenGames,
        faces: Faces,
        section: model.Section,
        scenes: Sequence[SceneModel],
        edition: str | None = None,
    ) -> None:
        self.rules, self.games = games.rules, games
        self.faces, self.edition = faces, edition
        self.scenes = [scene for scene in scenes if scene.section == section.index]
        self.snapshots: dict[int, list[Snapshot]] = {index: [] for index in range(len(section.prose))}
        self.broken: set[int] = set()
        self.part = {line: index for index, prose in enumerate(section.prose) for line in prose.clause_lines}
        self.section = section
        for scene in self.scenes:
            if not self.is_cut:
                self.run(scene)

    @property
    def is_cut(self) -> bool:
        """Whether the examples of the book have taken too much already, so that not all of this one is shown."""
        return self.games.work > MAX_WORK_OF_BOOK

    def run(self, scene: SceneModel) -> None:
        edition = self.edition if self.edition in scene.editions else None
        runner = _Reader(self.rules, scene, edition, self.games.at(scene.people))
        before: set[int] = set()
        part, lines = self.part.get(scene.span.line), list[Line]()
        following = [self.part.get(line.span.line) for line in scene.lines]
        for number, (line, _) in enumerate(runner.steps()):
            if following[number] != part and number == 0:
                before = self.close(part, runner, [], before)
                part = following[0]
            lines.append(line)
            if number + 1 < len(following) and following[number + 1] != part:
                before = self.close(part, runner, lines, before)
                part, lines = following[number + 1], []
            if self.is_cut:
                return
        self.close(part, runner, lines, before)
        for verdict in runner.result.verdicts:
            at = self.part.get(verdict.line.span.line, part)
            if not verdict.holds and at is not None and not self.shown(verdict.line, at):
                self.broken.add(at)

    def close(self, part: int | None, runner: SceneRunner, lines: list[Line], before: set[int]) -> set[int]:
        """Takes a snapshot; gives the cards that are seen by all after it."""
        if part is not None:
            self.snapshots[part].append(Snapshot(runner, lines, before))
        places = runner.layout.place_of
        return {card for w in runner.worlds for i, p in enumerate(places) if is_public(p) for card in w.places[i]}

    def shown(self, line: Line, part: int) -> bool:
        """Whether the paragraph prints the very figure that a claim is about, and so prints it right."""
        if not isinstance(line, Claim) or not isinstance(line.condition, model.Compare):
            return False
        left = line.condition.left
        name = left.definition.name if isinstance(left, model.Defined) else None
        return name in {figure for figure, _ in self.section.prose[part].figures}

    def pictures(self, part: int) -> list[Picture]:
        """The pictures below a paragraph; a paragraph that only claims leaves its marks on the picture before it."""
        found = []
        for snapshot in self.snapshots[part]:
            if not snapshot.acts and self.follows(snapshot, part) and not self.has_more(snapshot):
                continue
            later = [line for other in self.after(snapshot, part) for line in other.holding]
            picture = Painter(self.rules, self.faces, snapshot).picture(later)
            if picture is not None:
                found.append(picture)
        return found

    def has_more(self, snapshot: Snapshot) -> bool:
        return any(isinstance(line, (GivenIs, LegalClaim)) for line in snapshot.lines)

    def follows(self, snapshot: Snapshot, part: int) -> bool:
        """Whether an earlier paragraph shows the same scene with its acts."""
        earlier = [s for index in range(part) for s in self.snapshots[index] if s.runner is snapshot.runner]
        return any(other.acts for other in earlier)

    def after(self, snapshot: Snapshot, part: int) -> Iterator[Snapshot]:
        """The paragraphs of the same scene that follow without any act."""
        for index in range(part + 1, len(self.section.prose)):
            same = [s for s in self.snapshots[index] if s.runner is snapshot.runner]
            if any(other.acts or self.has_more(other) for other in same):
                return
            yield from same
