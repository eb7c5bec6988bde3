"""seeds → games and tallies: by the reference, by compiled rules, by machine code; positions → what comes of them."""
