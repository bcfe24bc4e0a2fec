"""What an installed package must do where nothing else is installed.

`python -I -W error smoke.py SCENARIO DIGEST VERSION`: isolated, so that nothing but the installation is found, and from any folder.
"""

import base64
import hashlib
import json
import re
import sys
import time
from importlib import metadata
from pathlib import Path

begun = time.process_time()
import qoscope  # noqa: E402

IMPORT_SECONDS = time.process_time() - begun

scenario, digest, version = sys.argv[1:]
package = Path(qoscope.__file__).parent
distribution = metadata.distribution("qoscope-sim")
files = {str(file): Path(str(file.locate())) for file in distribution.files or []}


def expect(holds: bool, sentence: str) -> None:
    """Ends with a sentence unless something holds."""
    if not holds:
        sys.exit(f"smoke.py: {sentence}")


def one(end: str) -> Path:
    """The only installed file whose path ends so."""
    found = [path for name, path in files.items() if name.endswith(end)]
    expect(len(found) == 1, f"{len(found)} files of the wheel end with {end}")
    return found[0]


expect(package.is_relative_to(sys.prefix), f"{package} is not what was installed into {sys.prefix}")
expect(IMPORT_SECONDS < 0.3, f"the import took {IMPORT_SECONDS:.2f} s")

result = qoscope.run(scenario)
expect(result.digest == digest, f"{scenario} has the digest {result.digest}, not {digest}")
versions = {qoscope.__version__, distribution.version, result.engine_version}
expect(versions == {version}, f"versions are {versions}, not {version}")

needed = [name for name in distribution.requires or [] if "extra ==" not in name]
expect(not needed, f"needs {needed}")
for call in (result.plot, lambda: qoscope.explore(scenario)):
    try:
        call()
        expect(False, f"{call} did without what is not installed")
    except qoscope.QoScopeError as error:
        expect(
            "pip install 'qoscope-sim[" in str(error), f"says what is missing, but not how to get it: {error}"
        )

for name in (
    "qoscope/py.typed",
    "qoscope/_native.pyi",
    "licenses/LICENSE",
    "sboms/qoscope-python.cyclonedx.json",
):
    one(name)

# The paths in the sentences of its panics name crates that are linked into it.
notices = one("licenses/THIRD-PARTY.txt").read_text(encoding="utf-8")
[native] = [path for path in package.glob("_native*") if path.suffix != ".pyi"]
linked = set(re.findall(rb"registry/src/[^/]+/([\w-]+)-(\d[^/]*)/", native.read_bytes()))
expect(len(linked) > 10, f"names only {len(linked)} crates")
for crate, crate_version in linked:
    line = f"\n{crate.decode()} {crate_version.decode()}: "
    expect(line in notices, f"THIRD-PARTY.txt does not name {line.strip()}")

page = one(f"share/jupyter/labextensions/qoscope-sim/{version}/index.html").parent
for name, listed in json.loads((page / "files.json").read_text()).items():
    found = base64.b64encode(hashlib.sha256((page / name).read_bytes()).digest()).decode()
    expect(listed["digest"] == f"sha256-{found}", f"the page's {name} is not as it was built")
expect(not list(page.rglob("*.map")), "the page has its source maps with it")

print(
    f"qoscope {version}: imported in {IMPORT_SECONDS * 1000:.0f} ms, {digest}, {len(files)} files, {len(linked)} crates named"
)
