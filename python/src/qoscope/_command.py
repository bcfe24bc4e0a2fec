"""The command `qoscope` that the package installs."""

import signal
import sys

from qoscope import _native


def main() -> int:
    """Runs the command line and returns its exit code."""
    # Python handles Ctrl+C only between its own instructions, so not while the engine runs: let the system end the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command(["qoscope", *sys.argv[1:]])
