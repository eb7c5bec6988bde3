"""Machine code that numba has made, kept in the user's cache folder: making it takes some seconds.

Such code cannot be data that somebody else may have written, and numba keeps it as a pickle. So it is read from a file
of this user's own alone, in a folder of this user's own (see `cache_files`), and not from where numba looks for it.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from typing import Any

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from teufelswerk import cache_files

MOST_KEPT = 60


class MachineCode:
    """What numba asks for the code of one function, in place of its own cache."""

    cache_path = ""

    def __init__(self, digest: str) -> None:
        self.digest = digest

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """The code for arguments of some types; None if it has to be made."""
        target.refresh()
        kept = cache_files.read(self.name(signature, target))
        if kept is None:
            return None
        try:
            return CompileResult._rebuild(target, *pickle.loads(kept))
        except Exception:  # whatever a strange file may lead to: it is made again
            return None

    def save_overload(self, signature: Any, made: CompileResult) -> None:
        if made.lifted or made.library.has_dynamic_globals:
            return  # it is good for this process alone
        cache_files.write(self.name(signature, made.target_context), dumps(made._reduce()))
        cache_files.keep_newest("code-*.bin", MOST_KEPT)

    def name(self, signature: Any, target: Any) -> str:
        """Another source, other types, another processor, numba or Python have another file."""
        key = (self.digest, str(signature), target.codegen().magic_tuple(), numba.__version__, sys.version)
        return f"code-{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.bin"

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass
