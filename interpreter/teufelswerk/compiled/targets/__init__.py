"""instructions → Python source or the text of an LLVM module, and what these call when they run."""
