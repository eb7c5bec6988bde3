"""a line that does not read → advice: what was meant, and the line to write."""
