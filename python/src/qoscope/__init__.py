"""End-to-end quality of service in networked storage, simulated packet by packet."""

from qoscope import _native

__version__ = _native.version()
