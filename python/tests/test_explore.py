"""The page in a notebook: what kernel and page tell each other, and the whole of it in a real JupyterLab."""

import json
import os
import pickle
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from time import monotonic
from urllib.parse import urljoin

import pytest

import qoscope
from qoscope import InvalidError, Scenario, _page

K = "switch.ecnThresholdPackets"


@pytest.fixture
def widget(tiny, monkeypatch):
    """A widget whose messages to the page are kept in `widget.sent`."""
    own = qoscope.explore(tiny)
    sent: list[dict] = []
    monkeypatch.setattr(type(own), "send", lambda self, message, buffers=None: sent.append(message))
    own.__dict__["sent"] = sent
    return own


def told(widget, document: dict, **fields) -> None:
    """As the page tells a scenario, and where the run stands."""
    widget.set_state({"phase": "paused", **fields})
    tell(widget, {"qoscope": "scenario", "scenario": document})


def tell(widget, message: dict) -> None:
    """As the page tells by way of the comm."""
    widget._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})


def test_a_widget_begins_with_the_link_of_its_scenario(tiny, widget):
    assert Scenario(widget._link) == Scenario(tiny) == widget.scenario
    assert not widget.is_there


def test_what_a_reader_changes_is_there(tiny, widget):
    seen = []
    widget.observe(lambda change: seen.append(change["new"].switch.ecn_threshold_packets), "scenario")
    told(widget, tiny | {"switch": {"ecnThresholdPackets": 20}}, time_us=700.5)
    assert (seen, widget.time_us, widget.phase) == ([20], 700.5, "paused")
    assert widget.scenario.switch.ecn_threshold_packets == 20
    # It goes not back to where it came from, and a widget that is shown anew begins with it.
    assert widget.sent == []
    assert Scenario(widget._link) == widget.scenario


def test_a_field_is_set_before_and_after_the_page_is_there(tiny, widget):
    widget.set(K, 30)
    assert widget.scenario.switch.ecn_threshold_packets == 30
    assert widget.sent == [{"qoscope": "open", "link": widget.scenario.link}]
    told(widget, widget.scenario.to_dict())
    widget.set(K, 40)
    assert widget.sent[1:] == [{"qoscope": "set", "path": K, "value": 40}]
    assert widget.scenario.switch.ecn_threshold_packets == 40


def test_a_live_change_is_in_the_timeline_and_another_begins_anew(tiny, widget):
    later = {"atUs": 900.0, "path": K, "value": 10}
    told(widget, tiny | {"timeline": [later]}, time_us=500.0)
    widget.set(K, 40)
    assert widget.scenario.to_dict()["timeline"] == [{"atUs": 500.0, "path": K, "value": 40}, later]
    widget.set("seed", 8)
    assert widget.scenario.seed == 8


@pytest.mark.parametrize(("phase", "time_us"), [("paused", 0.0), ("ended", 2000.0), ("loading", 0.0)])
def test_a_run_that_is_not_under_way_is_changed_from_its_start(tiny, widget, phase, time_us):
    told(widget, tiny, phase=phase, time_us=time_us)
    widget.set(K, 40)
    assert "timeline" not in widget.scenario.to_dict()
    assert widget.scenario.switch.ecn_threshold_packets == 40


def test_what_the_page_takes_back_is_taken_back(tiny, widget):
    seen = []
    told(widget, tiny)
    widget.observe(lambda change: seen.append(change["new"].seed), "scenario")
    widget.set("seed", 5)
    tell(widget, {"qoscope": "scenario", "scenario": tiny | {"seed": -1}})
    tell(widget, {"qoscope": "scenario", "scenario": tiny})
    assert seen == [5, 1]
    # It is opened again where somebody wants it all the same.
    widget.scenario = Scenario(tiny, set={"seed": 5})
    assert [message["qoscope"] for message in widget.sent] == ["set", "open"]


def test_a_scenario_that_is_shown_is_not_changed_behind_the_page(tiny, widget):
    for shown in (widget.scenario, qoscope.explore(Scenario(tiny)).scenario):
        with pytest.raises(qoscope.QoScopeError, match=r"\.set\(path, value\)"):
            shown.seed = 9
        assert shown == Scenario(tiny)
    widget.scenario = widget.scenario.copy(seed=9)
    assert widget.scenario.seed == 9
    assert pickle.loads(pickle.dumps(widget.scenario)) == widget.scenario


def test_another_scenario_is_whatever_can_be_read_as_one(tiny, widget):
    widget.scenario = tiny | {"seed": 6}
    assert widget.scenario.seed == 6
    with pytest.raises(InvalidError):
        widget.scenario = tiny | {"seed": -6}
    assert widget.scenario.seed == 6


def test_traces_stay_beside_the_scenario(tmp_path, tiny):
    (tmp_path / "own.json").write_text(json.dumps(tiny))
    own = qoscope.explore(tmp_path / "own.json")
    tell(own, {"qoscope": "scenario", "scenario": tiny | {"seed": 4}})
    assert (own.scenario.seed, own.scenario._folder) == (4, str(tmp_path))


@pytest.mark.parametrize(
    ("path", "value"), [(K, 0), (K, "many"), ("no.such", 1), (K, float("nan")), ("seed", -1)]
)
@pytest.mark.parametrize("time_us", [0.0, 500.0])
def test_what_the_engine_refuses_is_not_sent(tiny, widget, path, value, time_us):
    told(widget, tiny, time_us=time_us)
    with pytest.raises(InvalidError):
        widget.set(path, value)
    assert widget.sent == []
    assert widget.scenario == Scenario(tiny)


def test_another_scenario_is_opened(tiny, widget):
    widget.scenario = Scenario(tiny, set={"seed": 3})
    assert widget.sent == [{"qoscope": "open", "link": widget._link}]
    assert Scenario(widget._link).seed == 3


def test_buttons_are_pressed(widget):
    widget.play()
    assert widget._autoplay
    widget.pause()
    widget.restart()
    assert [message["qoscope"] for message in widget.sent] == ["play", "pause", "restart"]
    assert not widget._autoplay


def test_refusals_of_the_page_are_faults(widget):
    fault = {"path": K, "reason": "is 0", "hint": "Give 1 or more", "severity": "error"}
    tell(widget, {"qoscope": "refused", "diagnostics": [fault]})
    assert [str(fault) for fault in widget.refused] == [f"{K}: is 0. Give 1 or more"]


def test_readers_are_kept_to_what_is_free(tiny):
    own = qoscope.explore(tiny, lock=True, free=[K, "seed"], hide=["results"], height=400)
    assert (own._query, own.height) == ({"lock": "", "free": f"{K},seed", "hide": "results"}, 400)
    assert qoscope.explore(tiny)._query == {}
    assert qoscope.explore(tiny, lock="seed", hide="charts")._query == {"lock": "seed", "hide": "charts"}


def test_a_saved_notebook_has_the_run(tiny):
    from qoscope._explore import still

    html = still(Scenario(tiny), "x")
    assert qoscope.run(tiny).digest in html
    assert 'class="qoscope-still-x"' in html


def test_a_run_without_its_trace_says_so_in_place_of_its_picture(tiny):
    from qoscope._explore import still

    replayed = {"kind": "trace", "file": "no such"}
    scenario = Scenario(tiny, set={"workloads[0].traffic": replayed})
    assert "no such" in still(scenario, "x")


def served(path: str):
    return urllib.request.urlopen(urljoin(_page.served(), path), timeout=10)


def test_the_page_is_served_to_this_machine_alone():
    assert _page.served().startswith("http://127.0.0.1:")
    with served("index.html") as answer:
        text = answer.read().decode()
    script = re.search(r'src="\./(assets/index-[^"]+\.js)"', text)[1]
    with served(script) as answer:
        assert answer.headers["Content-Type"] == "text/javascript"
    wasm = next(path for path in _page.folder().glob("assets/qoscope_wasm_bg-*.wasm"))
    with served(f"assets/{wasm.name}") as answer:
        assert answer.headers["Content-Type"] == "application/wasm"
    for outside in ("../pyproject.toml", "/index.html", "/assets/"):
        with pytest.raises(urllib.error.HTTPError):
            served(outside)


NOTEBOOK = [
    "import qoscope\nw = qoscope.explore(SCENARIO, height=560)\nw",
    "print('K is', w.scenario.switch.ecn_threshold_packets)",
    "w.set('switch.ecnThresholdPackets', 33)\nw.play()",
    "print('digest', qoscope.run(w.scenario).digest, w.phase, w.time_us)",
    "w.pause()\nw",
    "v = qoscope.explore(SCENARIO, height=400, hide=['results'])\ndisplay(v)\nv.scenario = v.scenario.copy(seed=5)\nv.play()",
    "print(v.phase, v.scenario.seed, w.phase)",
]


END_KERNELS = """async () => {
  const headers = { "X-XSRFToken": document.cookie.match(/_xsrf=([^;]*)/)[1] };
  for (const { id } of await (await fetch("/api/sessions")).json())
    await fetch(`/api/sessions/${id}`, { method: "DELETE", headers });
}"""


@pytest.fixture
def lab(tmp_path, tiny):
    """The address of a JupyterLab with a notebook."""
    import nbformat

    cells = [f"SCENARIO = {tiny!r}", *NOTEBOOK]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, tmp_path / "book.ipynb")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    source = os.path.dirname(os.path.dirname(qoscope.__file__))
    own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    environment = os.environ | own | {"PYTHONPATH": source, "JUPYTER_PREFER_ENV_PATH": "1"}
    options = ["--allow-root", "--no-browser", f"--port={port}", "--ServerApp.port_retries=0"]
    options += ["--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}", "--LabApp.news_url="]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        for line in server.stderr:
            if f"127.0.0.1:{port}/lab" in line:
                break
        else:
            pytest.fail("JupyterLab does not begin")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate(timeout=20)


@pytest.mark.full
def test_in_jupyterlab_kernel_and_page_follow_each_other(lab, tmp_path):
    from playwright import sync_api as sync

    with sync.sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1440, "height": 1000})
        tab.set_default_timeout(60_000)
        sync.expect.set_options(timeout=60_000)
        foreign: list[str] = []
        errors: list[str] = []
        tab.on(
            "request",
            lambda request: (
                re.match(r"(http://127\.0\.0\.1[:/]|blob:|data:)", request.url) or foreign.append(request.url)
            ),
        )
        tab.on("pageerror", lambda error: errors.append(str(error)))
        cells = tab.locator(".jp-CodeCell")
        frames = tab.locator("iframe[title=QoScope]")

        def open_book() -> None:
            tab.goto(f"{lab}/lab/tree/book.ipynb?reset")
            cells.nth(len(NOTEBOOK)).wait_for()
            tab.get_by_text("Python 3 (ipykernel) | Idle").wait_for()

        def run(place: int) -> str:
            """Runs a cell, and gives what it prints."""
            cell = cells.nth(place)
            prompt = cell.locator(".jp-InputPrompt")
            before = prompt.inner_text()
            cell.locator(".cm-content").click()
            tab.keyboard.press("Control+Enter")
            sync.expect(prompt).not_to_have_text(before)
            sync.expect(prompt).not_to_have_text("[*]:")
            printed = cell.locator(".jp-OutputArea-output")
            return printed.first.inner_text().strip() if printed.count() else ""

        def prints(place: int, expected: str) -> None:
            """A cell prints something once the kernel has heard of it."""
            until = monotonic() + 60
            while (printed := run(place)) != expected:
                assert monotonic() < until, f"{printed!r} instead of {expected!r}"

        open_book()
        run(0)
        run(1)
        frame = tab.frame_locator("iframe[title=QoScope]").first
        root = frame.locator("html")
        sync.expect(root).to_have_attribute("data-run-state", "paused")
        # The picture for those who have no page is not shown beside it.
        sync.expect(tab.locator("[class^=qoscope-still]")).to_be_hidden()

        # What a reader changes is in the kernel.
        switch = frame.get_by_role("button", name="Switch", exact=True)
        field = frame.get_by_label("ECN threshold").first
        switch.click()
        field.fill("21")
        field.press("Enter")
        prints(2, "K is 21")

        # What the kernel changes is in the page, and both compute the same.
        run(3)
        sync.expect(root).to_have_attribute("data-run-state", "ended")
        sync.expect(field).to_have_value("33")
        digest = root.get_attribute("data-digest")
        prints(4, f"digest {digest} ended 2000.0")

        # The page has the theme of the notebook.
        tab.evaluate("document.body.dataset.jpThemeLight = 'false'")
        sync.expect(root).to_have_attribute("data-theme", "dark")

        # It is in one place, which the reader chooses, and begins there with what is shown; a moved cell takes it along.
        run(5)
        back = cells.nth(1).get_by_role("button", name="Show it here")
        back.wait_for()
        sync.expect(frames).to_have_count(1)
        back.click()
        sync.expect(cells.nth(5).get_by_role("button", name="Show it here")).to_be_visible()
        switch.click()
        sync.expect(field).to_have_value("33")
        cells.nth(1).locator(".jp-InputPrompt").click()
        tab.get_by_role("button", name="Move this cell up").click()
        sync.expect(cells.first.locator("iframe")).to_be_visible()
        switch.click()
        sync.expect(field).to_have_value("33")
        cells.first.locator(".jp-InputPrompt").click()
        tab.get_by_role("button", name="Move this cell down").click()
        sync.expect(cells.nth(1).locator("iframe")).to_be_visible()
        switch.click()
        sync.expect(field).to_have_value("33")

        # Another one, which hears of its changes before it is there; a page that nobody sees would wait.
        run(6)
        cells.nth(6).locator("iframe").scroll_into_view_if_needed()
        other = cells.nth(6).frame_locator("iframe")
        sync.expect(other.locator("html")).to_have_attribute("data-run-state", "running")
        sync.expect(other.get_by_role("complementary", name="Results")).to_have_count(0)
        prints(7, "running 5 paused")

        # Without a kernel a picture of the run is there, and nothing that was not meant for readers.
        tab.get_by_role("button", name="Save and create checkpoint").click()
        sync.expect(tab.locator(".lm-mod-current.jp-mod-dirty")).to_have_count(0)
        tab.evaluate(END_KERNELS)
        open_book()
        sync.expect(cells.nth(1).get_by_role("img", name=re.compile("Throughput")).first).to_be_visible()
        sync.expect(cells.nth(1).get_by_text("Error displaying widget")).to_be_hidden()
        sync.expect(frames).to_have_count(0)
        browser.close()
    assert foreign == []
    assert errors == []
    saved = json.loads((tmp_path / "book.ipynb").read_text())
    stills = [output for output in saved["cells"][1]["outputs"] if "text/html" in output.get("data", {})]
    assert len(stills) == 1
    assert "Throughput" in "".join(stills[0]["data"]["text/html"])
