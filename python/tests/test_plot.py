"""Figures: lines carry the series, classes look as on the page, and what cannot be drawn says so."""

import builtins
import math
import re

import pytest
from places import REPOSITORY

import qoscope
from qoscope import QoScopeError, _style
from qoscope._plot import CHARTS, MARKERS

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(scope="module")
def result(scenarios):
    return qoscope.run(scenarios / "three-writers.json", duration_us=4000)


@pytest.fixture
def ax():
    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


def test_looks_are_those_of_the_page():
    tokens = (REPOSITORY / "web/src/styles/tokens.css").read_text()
    light, dark = tokens.split(':root[data-theme="dark"]')[:2]

    def said(text: str, name: str) -> str:
        # What the dark theme does not say is as in the light one: ink.
        return (re.search(rf"--{name}: ([^;]+);", text) or re.search(rf"--{name}: ([^;]+);", light))[1]

    drawn = re.findall(
        r'identity\((\d), \[([\d., ]*)\], "(\w+)"\)', (REPOSITORY / "web/src/ui/classes.ts").read_text()
    )
    assert len(drawn) == len(_style.LOOKS)
    for place, dash, marker in drawn:
        look = _style.LOOKS[int(place)]
        assert look.marker == marker
        assert list(look.dash) == [float(length) for length in dash.split(",") if length.strip()]
        for text, mark, label in ((light, look.light, look.label), (dark, look.dark, look.dark_label)):
            if said(text, f"class-{place}-mark").startswith("#"):
                assert (mark, label) == (
                    said(text, f"class-{place}-mark"),
                    said(text, f"class-{place}-label"),
                )
    assert _style.INK == said(light, "t1")
    assert set(MARKERS) == {look.marker for look in _style.LOOKS}


def test_lines_carry_the_series(result, ax):
    result.plot("throughput", ax=ax)
    lines = {line.get_label(): line for line in ax.get_lines()}
    for place, name in enumerate(["High", "Medium", "Low"]):
        assert list(lines[name].get_ydata()) == result.samples.column(f"goodput_gbps.{name}")
        assert lines[name].get_xdata()[-1] == pytest.approx(result.samples.column("time_us")[-1] / 1000)
        assert lines[name].get_color() == _style.look(place).light
        assert lines[name].get_marker() == MARKERS[_style.look(place).marker][0]
    assert lines["High"].get_linestyle() == "-" != lines["Medium"].get_linestyle()
    targets = [line for line in ax.get_lines() if line.get_color() == _style.REFERENCE]
    assert [line.get_ydata()[-1] for line in targets] == [
        result.samples.column(f"target_gbps.{name}")[-1] for name in ["High", "Medium", "Low"]
    ]
    assert {text.get_text().split()[0] for text in ax.texts} >= {"High", "Medium", "Low"}


def test_marks_of_the_tail_stand_at_its_percentiles(result, ax):
    result.plot("latency", ax=ax)
    marks = {
        (float(line.get_xdata()[0]), float(line.get_ydata()[0]))
        for line in ax.get_lines()
        if len(line.get_xdata()) == 1
    }
    high = result.classes["High"].latency_us
    assert (high.p50, 0.5) in marks
    # Of few requests no tail is told.
    assert (high.p999, 0.001) not in marks


def test_a_change_of_the_threshold_shows(tiny, ax):
    run = qoscope.Simulation(tiny).run_until(1000).set("switch.ecnThresholdPackets", 20).run()
    run.result().plot("queue", ax=ax)
    k = next(line for line in ax.get_lines() if line.get_color() == _style.REFERENCE)
    assert (list(k.get_xdata()), list(k.get_ydata())) == ([0, 1, 2], [140, 20, 20])


def test_a_figure_has_the_charts_asked_for(result):
    assert len(result.plot().axes) == len(CHARTS)
    assert len(result.plot(["queue", "latency"]).axes) == 2
    assert len(result.plot("quality").axes) == 1
    with pytest.raises(ValueError, match="'speed'"):
        result.plot("speed")
    with pytest.raises(ValueError, match="one chart"):
        result.plot(["queue", "latency"], ax=result.plot("queue").axes[0])


def test_nothing_of_matplotlib_stays_changed(result):
    before = dict(pyplot.rcParams)
    open_before = pyplot.get_fignums()
    result.plot()
    assert dict(pyplot.rcParams) == before
    assert pyplot.get_fignums() == open_before


@pytest.mark.parametrize(
    "fields",
    [
        {"durationUs": 200},
        {"workloads[0].startUs": 1999},
        {"switch.marking": "off"},
        {"measurement.samplePeriodUs": 2000},
        {"classes[0].name": "<script>$x_1$", "workloads[0].class": "<script>$x_1$"},
        {"classes[0].name": "a.b", "workloads[0].class": "a.b"},
    ],
)
def test_runs_of_all_kinds_are_drawn(tiny, fields, tmp_path):
    result = qoscope.run(tiny, set=fields)
    result.plot().savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 5000
    assert "<script>" not in result._repr_html_()


def test_runs_with_devices_are_drawn(scenarios, tmp_path):
    result = qoscope.run(scenarios / "storage-three-classes.json", duration_us=3000)
    result.plot().savefig(tmp_path / "figure.svg")
    assert (
        "Request latency" in (tmp_path / "figure.svg").read_text()
        or (tmp_path / "figure.svg").stat().st_size > 9000
    )


def test_without_matplotlib_a_sentence_says_what_to_install(result, monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **named):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(QoScopeError, match=r"pip install 'qoscope-sim\[plot\]'"):
        result.plot()


def test_percentiles_are_told_as_far_as_requests_bear_them_out():
    assert _style.percentile(12.4, 1000, 0.01) == "12"
    assert _style.percentile(12.4, 999, 0.01) == "≈12"
    assert _style.percentile(12.4, 499, 0.01) == "few"
    assert _style.percentile(None, 0, 0.5) == "–"
    assert [_style.latency(9999), _style.latency(12345)] == ["9999 µs", "12.35 ms"]
    assert [_style.duration(20000), _style.duration(1.5), _style.duration(2e6)] == ["20 ms", "1.5 µs", "2 s"]
    assert _style.number(-1.25, 1) == "−1.2" and math.isclose(float(_style.number(2, 3)), 2)
