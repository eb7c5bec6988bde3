"""Every bound that a rule file, a game or an example can run into, in one place; messages name them."""

MAX_FILE_BYTES = 1_000_000
MAX_LINE_LENGTH = 1_000
MAX_LINES = 20_000
MAX_CLAUSES = 2_000
MAX_BLOCK_DEPTH = 12
MAX_WORDS_IN_LINE = 120
MAX_NAME_LENGTH = 40
MAX_NESTING = 30
"""Brackets, `of`, `where`, sums … within one another on one line."""
MAX_DEFINITION_NESTING = 100
MAX_DEFINITION_SIZE = 2_000
"""How deep a definition goes, and how many parts it has, with all that it names put in its place."""
MAX_MOVE_SIZE = 4_000
"""How many parts the choices and conditions of a move have, with all that it names put in its place."""
MAX_ELSE_IFS = 16
MAX_CALL_DEPTH = 20
"""Steps that call one another in a row."""
MAX_LOOP_DEPTH = 6
MAX_VARIANT_DEPTH = 5
MAX_EFFORT = 1_000_000
"""Things that may have to be looked at, at worst, to find the value of one expression."""
MAX_WORK = 100_000
"""Things that may be looked at between two decisions when a game is tried out."""
MAX_WORK_IN_PLAY = 2_000_000
"""Things that may be looked at for one decision in a game, or for one line of an example."""
MAX_WORK_IN_GAME = 20_000_000
"""Things that may be looked at in one game, choices and steps included."""
MAX_WORK_OF_BOTS = 200_000_000
"""… in one that bots play by themselves, their thoughts included."""
WORK_OF_EAGER_BOTS = 60_000_000
"""Things after which they think less and less; after twice as many they make any move."""
MAX_WORK_OF_BOOK = 20_000_000
"""Things that may be looked at to show the examples of a rulebook, which is the same on every machine."""
MAX_WORK_OF_LEARNING = 100_000
"""Things that a bot looks at to find out what a move of somebody else tells about their cards."""
MAX_WORK_UNCOUNTED = 10_000_000
"""Things that a decision might look at, at worst, in rules that are compiled: these do not count them."""
MAX_NUMBER = 1_000_000
MAX_SEED = 2**64 - 1
MAX_PLAYERS = 20
MAX_CARDS = 1_000
MAX_PLACES = 1_000
MAX_DIAGNOSTICS = 30
MAX_INSTRUCTIONS = 5_000
MAX_REPEATS = 1_000
MAX_STEPS = 200_000
"""Instructions that may run between two decisions."""
MAX_MOVES_IN_GAME = 50_000
MAX_RECORD_BYTES = 100_000_000
"""A record of games that is shown, or a saved game."""
MAX_CHOICES = 20_000
"""Choices that a player may have at once, in one move and in all of them together."""
MAX_LISTED = 1_000
"""Values in a list that stands in the rules."""
MAX_CARDS_IN_SETS = 14
"""Cards among which all sets are looked for that are so or so; with each more, there are twice as many sets."""
MAX_CARDS_IN_GROWING_SETS = 60
"""… if the first few cards of a set tell already whether it may become one of these."""
MAX_BEGINNINGS = 100_000
"""Beginnings of sets that are gone on with where so many cards are chosen together."""
SETS_EXPECTED = 256
"""So many sets are reckoned with before a game; at the table, those that are tried are counted."""
MAX_WORLDS = 20_000
"""Ways in which an example may leave cards open before it asks for more to be given."""
MAX_MOVES_TO_SCENE = 2_000
MAX_WORK_TO_SCENE = 1_000_000
"""Moves that are played, and things that are looked at, to come to the step in which an example begins."""
MAX_FUTURE_MOVES = 60
"""Moves that `always` and `never` look ahead."""
MAX_CACHE_BYTES = 32_000_000
"""A larger file in the cache folder is none of ours."""
MAX_CATALOG_BYTES = 2_000_000
"""A catalog of translations; reading so much takes a second or two, once."""
MAX_PDF_SECONDS = 60
MAX_PDF_MEMORY = 1_000_000_000
"""What typesetting a rulebook may take, in seconds and in bytes."""
SECONDS_OF_TRIALS = 1.0
"""So long `check` plays a game, in all."""
SECONDS_OF_EXAMPLES = 10
"""So long `check` runs examples; so long pytest runs one."""
SECONDS_OF_ALL_EXAMPLES = 60
"""So long `examples` runs them."""
SECONDS_OF_VALUES = 10
"""So long `values` looks for how far values can go."""
SECONDS_OF_DIFF = 10
"""So long `diff` looks for scenes that tell two games apart, and as long it takes to make them small."""
SECONDS_OF_WATCHED_GAMES = 10
"""So long `check --watch` plays after a file was saved."""
