"""editors ↔ the files that somebody is writing: the language server protocol, over pipes or a web socket."""
