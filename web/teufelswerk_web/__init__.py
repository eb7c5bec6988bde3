"""A table in the browser: one process that people join from their phones and laptops, each in their own language."""
