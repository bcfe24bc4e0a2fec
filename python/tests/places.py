"""Where the files are that tests read."""

from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
