"""Which games have a referee of their own: those after which a module here is called."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from shipped import TABLES


def module(name: str) -> str:
    return name.replace("-", "_")


def referee(name: str) -> Any:
    return importlib.import_module(f"referees.{module(name)}")


REFEREED = [table for table in TABLES if (Path(__file__).parent / f"{module(table.name)}.py").is_file()]
