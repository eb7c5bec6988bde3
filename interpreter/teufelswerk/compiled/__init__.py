"""core → instructions on plain integers → Python source or machine code; the reference interpreter is the meaning."""
