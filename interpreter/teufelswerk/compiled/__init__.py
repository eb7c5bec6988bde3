"""Compiled rules: a model as plain-integer Python, for millions of games; the reference interpreter is the meaning."""

from __future__ import annotations

from teufelswerk.compiled.emit import NotCompiled
from teufelswerk.compiled.flow import compile_source

__all__ = ["NotCompiled", "compile_source"]
