"""An LLVM module → functions that can be called: compiled by llvmlite, which need not be installed."""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


def has_spread() -> bool:
    return bool(llvm.get_host_cpu_features().get("bmi2"))


def machine() -> Any:
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True)


class Library:
    """The functions of a module, as machine code in this process."""

    def __init__(self, text: str, speed: int = 3) -> None:
        module = llvm.parse_assembly(text)
        module.verify()
        self.target = machine()
        options = llvm.create_pipeline_tuning_options(speed_level=speed)
        builder = llvm.create_pass_builder(self.target, options)
        passes = builder.getModulePassManager()
        passes.run(module, builder)
        self.code = self.target.emit_object(module)
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self.target)
        self.engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(self.code))
        self.engine.finalize_object()

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self.engine.get_function_address(name))
