"""The page, from files that the package carries: where they are, and how a browser gets them."""

from __future__ import annotations

from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from threading import Thread
from typing import Any

from qoscope import _native
from qoscope._errors import QoScopeError

DISTRIBUTION = "qoscope-sim"
"""Name of the package on the index, and of its folder among the extensions of JupyterLab."""


@cache
def folder() -> Path:
    """The folder of the page's files.

    JupyterLab serves what an installed package has in `share/jupyter/labextensions`; without one it is what `npm run build` has made.

    Raises:
        QoScopeError: there are none.
    """
    built = Path(__file__).parents[3] / "dist"
    places = [*(path.parent for path in _installed()), built]
    for place in places:
        if (place / "index.html").is_file():
            return place
    raise QoScopeError(
        "The page is not part of this package: it was not built from a wheel. `npm run build` in the source makes it."
    )


def _installed() -> list[Path]:
    try:
        files = metadata.files(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    return [Path(str(file.locate())) for file in files if file.name == "index.html"]


IN_LAB = f"{DISTRIBUTION}/{_native.version()}/index.html"
"""The address of the page below that of JupyterLab's extensions, where it is installed beside it, and below that of the kernel's server."""

_BELOW = "/" + IN_LAB.removesuffix("index.html")


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".woff2": "font/woff2",
    }

    def send_head(self) -> Any:
        if self.path.startswith(_BELOW):
            return super().send_head()
        self.send_error(404)
        return None

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(_BELOW))

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away meanwhile is none of a reader's business."""


@cache
def served() -> str:
    """The address of the page at a server of this process, which only this machine reaches. It is begun when it is first asked for."""
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder())))
    Thread(target=server.serve_forever, name="qoscope-page", daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/{IN_LAB}"
