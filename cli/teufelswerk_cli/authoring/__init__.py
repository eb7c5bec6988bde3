"""Rule files that somebody is writing: checked, watched, compared, printed."""
