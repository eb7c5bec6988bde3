"""Build hook: a wheel carries rule files and compiled catalogs; an editable install reads them from the checkout."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataBuildHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        root = Path(self.root)
        self.compiled = TemporaryDirectory(prefix="teufelswerk-")
        include: dict[str, str] = build_data["force_include"]
        for rules in sorted(root.glob("rules/**/*.md")):
            include[str(rules)] = f"teufelswerk/{rules.relative_to(root).as_posix()}"
        for catalog in sorted(root.glob("locales/*/LC_MESSAGES/*.po")):
            target = catalog.relative_to(root).with_suffix(".mo")
            compiled = compile_catalog(catalog, Path(self.compiled.name, target))
            include[str(compiled)] = f"teufelswerk/{target.as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self.compiled.cleanup()


def compile_catalog(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True)
    with source.open("rb") as readable, target.open("wb") as compiled:
        write_mo(compiled, read_po(readable))
    return target
