"""A game as an LLVM module → functions that can be called: compiled by llvmlite, which need not be installed.

Machine code is kept in the user's cache folder, under a digest of the module's text, of the processor and of the
compiler: whoever plays the same rules again has it at once.
"""

from __future__ import annotations

import ctypes
import hashlib
from functools import cache
from typing import Any, TypeAlias

import llvmlite
import llvmlite.binding as llvm

from teufelswerk.base import cache_files

NUMBER, ARRAY = ctypes.c_int64, ctypes.c_void_p
Numbers: TypeAlias = Any
"""An array of 64-bit numbers, of ctypes."""
MOST_KEPT = 200
"""So many games' machine code is kept, the newest."""


def numbers(size: int) -> Numbers:
    return (NUMBER * max(size, 1))()


llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


def machine() -> Any:
    """What code is made for: this processor. Whoever is given one takes it over."""
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True)


@cache
def can_spread() -> bool:
    """Whether the processor lays bits onto those of a mask in one instruction."""
    return bool(llvm.get_host_cpu_features().get("bmi2"))


class Library:
    """The functions of a module, as machine code in this process."""

    def __init__(self, text: str, needed: str = "play_many") -> None:
        self.needed = needed
        surroundings = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {llvmlite.__version__}"
        digest = hashlib.sha256(f"{surroundings}\n{text}".encode()).hexdigest()[:32]
        self.name = f"game-{digest}.code"
        code = cache_files.read(self.name)
        if code is None or not self._load(code):
            code = compiled(text)
            cache_files.write(self.name, code)
            cache_files.keep_newest("game-*.code", MOST_KEPT)
            loaded = self._load(code)
            assert loaded

    def _load(self, code: bytes) -> bool:
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
        try:
            self.engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
            self.engine.finalize_object()
        except RuntimeError:
            return False
        return bool(self.engine.get_function_address(self.needed))

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self.engine.get_function_address(name))


def compiled(text: str, improved: bool = True) -> bytes:
    """A module's text as the object code of this machine; unimproved it is there ten times as soon, and slow."""
    target = machine()
    module = llvm.parse_assembly(text)
    module.verify()
    if improved:
        # loops over cards are short: several at a time, they cost more to begin than they save
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = tuning.slp_vectorization = False
        builder = llvm.create_pass_builder(target, tuning)
        builder.getModulePassManager().run(module, builder)
    code: bytes = target.emit_object(module)
    return code
