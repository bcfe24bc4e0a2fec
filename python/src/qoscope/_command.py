"""The command `qoscope`, which the package installs: the program of the workspace, on the same engine as the package."""

import signal
import sys

from qoscope import _native


def main() -> int:
    """Runs the command of the command line, and gives the exit code."""
    # The engine does not come back to the interpreter before the command is over, which is when Python would look at Ctrl+C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command(["qoscope", *sys.argv[1:]])
