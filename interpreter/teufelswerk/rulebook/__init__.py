"""A game → its rulebook: the headings and paragraphs of the rule file with pictures, tables and figures in force."""
