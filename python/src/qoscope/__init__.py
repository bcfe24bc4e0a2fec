"""End-to-end quality of service in networked storage, simulated packet by packet."""

from qoscope import _native
from qoscope._errors import Fault, InvalidError, QoScopeError

__version__ = _native.version()
__all__ = ["Fault", "InvalidError", "QoScopeError", "__version__"]
