"""Figures: lines carry the series, classes look as on the page, and what cannot be drawn says so."""

import builtins
import itertools
import json
import math
import re

import pytest
from places import REPOSITORY

import qoscope
from qoscope import QoScopeError, _style
from qoscope._plot import MARKERS, _apart
from qoscope._view import View

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(scope="module")
def result(scenarios):
    return qoscope.run(scenarios / "presets/three-writers.json")


@pytest.fixture(scope="module")
def on_ssd(scenarios):
    return qoscope.run(scenarios / "presets/storage-three-classes.json")


@pytest.fixture(scope="module")
def urgent(scenarios):
    """Of classes PM, High, Medium and Low, which aim at latencies."""
    return qoscope.run(scenarios / "paper1/paper1-fig23-priority.json", duration_us=20_000)


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
    names = {
        "background": "bg",
        "ink": "t1",
        "note": "t3",
        "reference": "t2",
        "hairline": "line",
        "axis": "line2",
        "band": "s2",
    }
    for field, token in names.items():
        assert getattr(_style.LIGHT, field) == said(light, token)
        assert getattr(_style.DARK, field) == said(dark, token)
    assert set(MARKERS) == {look.marker for look in _style.LOOKS}


@pytest.mark.parametrize("case", json.loads((REPOSITORY / "tests/identities.json").read_text()))
def test_identities_of_classes_are_those_of_the_page(case):
    assert _style.identities(case["names"]) == case["identities"]


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
    mean = result.classes["High"]
    assert f"High {mean.carried_gbps:.1f} of {mean.target_gbps:.1f}" in [text.get_text() for text in ax.texts]


def test_classes_look_by_their_names_wherever_they_stand(urgent, ax):
    urgent.plot("throughput", ax=ax)
    colours = {line.get_label(): line.get_color() for line in ax.get_lines()}
    assert colours["PM"] == _style.LOOKS[3].light
    assert colours["High"] == _style.LOOKS[0].light


def test_a_thicket_is_drawn_as_its_means_over_every_sample(on_ssd, ax):
    on_ssd.plot("throughput", ax=ax)
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    samples = on_ssd.samples.column("goodput_gbps.High")
    assert list(lines["_High"]) == samples
    times = on_ssd.samples.column("time_us")
    last = [value for time, value in zip(times, samples, strict=True) if time > times[-1] - 500]
    assert lines["High"][-1] == pytest.approx(sum(last) / len(last))


def test_where_a_device_is_the_bottleneck_classes_have_shares_and_no_targets(on_ssd, ax):
    on_ssd.plot("throughput", ax=ax)
    assert not [line for line in ax.get_lines() if line.get_color() == _style.REFERENCE]
    assert any("SSD is the bottleneck" in text.get_text() for text in ax.texts)
    titles = {axes.get_title("left") for axes in on_ssd.plot().axes}
    assert titles == {"Throughput", "Share", "Bottleneck queue", "Request latency"}
    share = on_ssd.plot("share").axes[0]
    means = [100 * each.target_share for each in on_ssd.classes]
    targets = [line.get_ydata()[0] for line in share.get_lines() if line.get_color() == _style.REFERENCE]
    assert targets == pytest.approx(means)


def test_where_nothing_goes_over_the_network_there_is_no_queue(scenarios, ax):
    local = qoscope.run(scenarios / "paper1/paper1-fig5a-local.json", duration_us=20_000)
    assert {axes.get_title("left") for axes in local.plot().axes} == {"Throughput", "Request latency"}
    local.plot("quality", ax=ax)
    assert "nothing goes over the network" in ax.texts[-1].get_text()


def test_means_of_quality_are_of_what_was_carried(urgent, ax):
    urgent.plot("quality", ax=ax)
    pm = next(line for line in ax.get_lines() if line.get_label() == "PM")
    assert next(text.get_text() for text in ax.get_yticklabels()) == "≤ 0.5"
    # Of samples, which are of a round trip each, the mean is far from it: most round trips carry nothing.
    assert pm.get_ydata()[-1] == pytest.approx(urgent.classes["PM"].quality_factor.mean, abs=0.1)


def test_latencies_that_classes_aim_at_are_drawn(urgent, ax):
    urgent.plot("latency", ax=ax)
    aims = {
        line.get_label(): line.get_xdata()[0]
        for line in ax.get_lines()
        if line.get_label().startswith("_target")
    }
    assert aims == {"_target PM": 4, "_target High": 5000, "_target Medium": 6000, "_target Low": 8000}
    missed = urgent.classes["High"].deadline.missed_fraction
    told = [text.get_text() for text in ax.get_legend().get_texts()]
    assert told[1].startswith("High") and told[1].endswith(f"\n{100 * missed:.0f} % over 5 ms")


def test_figures_are_dark_where_matplotlib_or_the_axes_are(result):
    def colour(axes):
        return next(line.get_color() for line in axes.get_lines() if line.get_label() == "High")

    own = _style.LOOKS[0]
    assert colour(result.plot("throughput").axes[0]) == own.light
    assert colour(result.plot("throughput", theme="dark").axes[0]) == own.dark
    with pyplot.style.context("dark_background"):
        figure, axes = pyplot.subplots()
        assert colour(result.plot("throughput").axes[0]) == own.dark
    assert colour(result.plot(ax=axes)) == own.dark
    pyplot.close(figure)
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        result.plot(theme="blue")


def test_names_beside_axes_stand_apart_and_within():
    wanted = [0.0, 1.0, 2.0, 50.0, 99.0, 100.0]
    placed = _apart(wanted, 10, 0, 100)
    assert placed == [0, 10, 20, 50, 90, 100]
    assert _apart([50.0] * 3, 10, 0, 100) == [40, 50, 60]
    crowded = _apart([5.0] * 9, 10, 0, 50)
    assert all(after - before >= 10 for before, after in itertools.pairwise(crowded))


def test_names_are_written_as_they_are(tiny, ax):
    name = "_High $\\frac"
    named = qoscope.run(tiny, set={"classes[0].name": name, "workloads[0].class": name, "name": "$x$ & _y_"})
    assert named.plot().get_suptitle().startswith("$x$ & _y_: seed 1, digest")
    named.plot("throughput", ax=ax)
    ax.figure.canvas.draw()
    assert any(text.get_text().startswith(name) for text in ax.texts)


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
    assert len(result.plot().axes) == 4
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


def test_pyplot_chooses_its_backend_outside_of_the_style(result, monkeypatch):
    """What a backend sets for all figures when it is loaded, as that of notebooks does, is not undone with the style."""
    seen = []
    make = pyplot.figure

    def figure(*rest, **named):
        seen.append(pyplot.rcParams["text.color"])
        return make(*rest, **named)

    monkeypatch.setattr(pyplot, "figure", figure)
    result.plot("queue")
    assert seen == [pyplot.rcParams["text.color"]]


def test_names_of_many_classes_stand_beside_their_own_chart(tiny):
    names = ["High", "Medium", "Low", "PM", "Best effort", "Backup", "Analytics", "Web"]
    size = {"kind": "uniform", "minimumBlocks": 1, "maximumBlocks": 7}
    load = {**tiny["workloads"][0], "traffic": {"kind": "closed-loop", "outstanding": 4, "size": size}}
    tiny |= {
        "classes": [{"name": name} for name in names],
        "workloads": [{**load, "class": name} for name in names],
    }
    figure = qoscope.run(tiny).plot()
    figure.draw_without_rendering()
    found = 0
    for axes in figure.axes:
        box = axes.get_window_extent()
        beside = [text for text in axes.texts if text.get_text().split(" ")[0] in {"High", "Web", "Backup"}]
        for text in beside:
            extent = text.get_window_extent()
            assert box.y0 - 1 <= (extent.y0 + extent.y1) / 2 <= box.y1 + 1
            found += 1
    assert found == 6


def test_axes_that_somebody_made_get_the_look_of_the_page(result, ax):
    result.plot("queue", ax=ax)
    assert [side for side in ax.spines if ax.spines[side].get_visible()] == ["bottom"]
    assert ax.xaxis.label.get_color() == _style.LIGHT.note


def test_axes_that_share_a_scale_hold_both(tiny):
    figure, (left, right) = pyplot.subplots(1, 2, sharey=True, layout="constrained")
    qoscope.run(tiny).plot("queue", ax=left)
    qoscope.run(tiny, set={"switch.ecnThresholdPackets": 10}).plot("queue", ax=right)
    assert left.get_ylim() == right.get_ylim() and left.get_ylim()[1] > 140
    figure.canvas.draw()
    pyplot.close(figure)


@pytest.mark.parametrize(
    "fields",
    [
        {"durationUs": 200},
        {"durationUs": 5},
        {"workloads[0].startUs": 1999},
        {"switch.marking": "off"},
        {"measurement.samplePeriodUs": 2000},
        {"classes[0].name": "<script>$x_1$", "workloads[0].class": "<script>$x_1$"},
        {"classes[0].name": "a.b", "workloads[0].class": "a.b"},
    ],
)
def test_runs_of_all_kinds_are_drawn(tiny, fields):
    result = qoscope.run(tiny, set=fields)
    # Which draws it.
    assert "throughput" in {axes.get_label() for axes in result.plot().axes}
    assert "<script>" not in result._repr_html_()


def test_figures_can_be_saved(on_ssd, tmp_path):
    on_ssd.plot(["share", "latency"]).savefig(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size > 9000


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
    assert _style.percentile(124.4, 1000, 0.01) == "124"
    assert _style.percentile(124.4, 999, 0.01) == "≈124"
    assert _style.percentile(124.4, 1000, 0.01, _style.latency) == "124 µs"
    assert _style.percentile(12.4, 499, 0.01) == "few"
    assert _style.percentile(None, 0, 0.5) == "–"
    assert [_style.latency(9999), _style.latency(12345)] == ["9999 µs", "12.35 ms"]
    assert [_style.duration(20000), _style.duration(1.5), _style.duration(2e6)] == ["20 ms", "1.5 µs", "2 s"]
    assert _style.number(-1.25, 1) == "−1.2" and math.isclose(float(_style.number(2, 3)), 2)
    assert [_style.microseconds(us) for us in (99.9, 12.34, 1.234, 0.05, 0)] == [
        "100",
        "12.3",
        "1.23",
        "0.050",
        "0",
    ]
    assert [_style.percent(each) for each in (0.0, 0.042, 0.5, 0.995, None)] == [
        "0 %",
        "4.2 %",
        "50 %",
        "99.5 %",
        "–",
    ]
    assert [_style.gbps(each) for each in (47.18, 0.0071, 0.0, None)] == ["47.2", "0.007", "0.0", "–"]
    assert [_style.quality(each) for each in (1.0249, 120.0, None)] == ["1.02", "> 99", "–"]


def test_moving_means_are_of_the_time_before_each_sample(tiny):
    view = View(qoscope.run(tiny, set={"measurement.samplePeriodUs": 0.5}))
    carried = view.column("goodput_gbps.High")
    means = view.mean(carried)
    assert view.mean_us == 50 and len(means) == 4000
    for last in (0, 50, 99, 100, 1234, 3999):
        window = [value for value in carried[max(last - 99, 0) : last + 1] if math.isfinite(value)]
        assert means[last] == pytest.approx(sum(window) / len(window), abs=1e-9)
    gap = view.mean([math.nan] * 200 + carried[200:])
    assert math.isnan(gap[199]) and math.isfinite(gap[200])


def test_fine_samples_do_not_press_their_means_together(tiny, ax):
    fine = qoscope.run(tiny, set={"measurement.samplePeriodUs": 0.5})
    fine.plot("throughput", ax=ax)
    most = max(line.get_ydata().max() for line in ax.get_lines() if line.get_label() in {"High", "Low"})
    samples = next(line for line in ax.get_lines() if line.get_label() == "_High")
    assert samples.get_ydata().max() > 2 * most >= ax.get_ylim()[1] / 1.06
