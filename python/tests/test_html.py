"""What notebooks show: complete, small, escaped, and the numbers of the result."""

import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import pytest

import qoscope
from qoscope import study
from qoscope._html import Axis, Line, chart, log_ticks, round_ticks
from qoscope._style import look


class Balanced(HTMLParser):
    """Checks that every element that begins ends."""

    VOID = frozenset({"br", "hr", "img", "meta"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag


def checked(html: str) -> str:
    parser = Balanced()
    parser.feed(html)
    assert not parser.open
    assert parser.seen.isdisjoint({"script", "iframe", "link", "img"})
    assert not re.search(
        r"https?://|\son\w+=|\bnan\b|NaN", re.sub(r"<style>.*?</style>", "", html, flags=re.S)
    )
    assert len(html) < 35_000
    return html


HOSTILE = {"classes[0].name": "<script>&\"'", "workloads[0].class": "<script>&\"'", "name": "<b>bold</b>"}


def test_a_result_shows_its_numbers(scenarios):
    result = qoscope.run(scenarios / "presets/three-writers.json")
    html = checked(result._repr_html_())
    high = result.classes["High"]
    for text in [
        f">{high.carried_gbps:.1f}<",
        f">{high.latency_us.p99:.0f}<",
        result.digest,
        result.link,
        "20 ms",
        "Gb/s",
    ]:
        assert f"{text}" in html
    assert html.count("<svg") == 2 + 3
    assert html.count('role="img"') == 2
    assert html.count('scope="row"') == 3
    assert len(html) < 20_000


def test_classes_look_by_their_names(scenarios):
    urgent = qoscope.run(scenarios / "paper1/paper1-fig23-priority.json", duration_us=20_000)
    html = checked(urgent._repr_html_())
    assert re.search(r"--q-m3,[^<]*>PM<", html) and re.search(r"--q-m0,[^<]*>High<", html)
    missed = urgent.classes["High"].deadline.missed_fraction
    assert f">{100 * missed:.0f} % over 5 ms<" in html


def test_latencies_have_units_of_their_own_where_some_are_long(scenarios):
    ladder = qoscope.run(scenarios / "presets/burst-ladder.json")
    html = checked(ladder._repr_html_())
    mail, analytics = (ladder.classes[name].latency_us for name in ("Mail", "Analytics"))
    assert f">{mail.p50:.0f} µs<" in html and f">{analytics.p50 / 1000:.2f} ms<" in html
    assert ">p50<" in html and ">Target<" not in html


def test_where_a_device_is_the_bottleneck_targets_are_shares(scenarios):
    html = checked(qoscope.run(scenarios / "presets/storage-three-classes.json")._repr_html_())
    assert "SSD is the bottleneck: targets are shares of what it carries." in html
    assert 'stroke-dasharray="4 3"' not in html
    assert re.search(r'>Share</th><th scope="col">Target<', html) and ">Q<" not in html


def test_records_of_a_kind_stand_side_by_side(tiny):
    result = qoscope.run(tiny)
    html = checked(result.summary._repr_html_())
    p99 = [
        f"<td>{each.latency_us.p99:.6g}</td>" if each.latency_us.p99 else "<td>–</td>"
        for each in result.classes
    ]
    assert f'<th scope="row">latency_us.p99</th>{"".join(p99)}' in html
    assert '<th scope="row">ecn_threshold_packets</th>' in result.scenario.switch._repr_html_()


@pytest.mark.parametrize(
    "fields", [{}, HOSTILE, {"durationUs": 100}, {"durationUs": 5}, {"workloads[0].startUs": 1999}]
)
def test_all_is_well_formed_and_escaped(tiny, fields):
    simulation = qoscope.Simulation(tiny, set=fields)
    checked(simulation._repr_html_())
    simulation.run_until(1000)
    result = simulation.result()
    parts = [simulation, result, result.scenario, result.summary, result.classes, result.scenario.switch]
    for part in parts:
        checked(part._repr_html_())
    checked(qoscope.explain(tiny)._repr_html_())
    checked(qoscope.catalogue()._repr_html_())


def test_classes_that_carried_nothing_have_dashes(tiny):
    html = checked(qoscope.run(tiny, set={"workloads[0].startUs": 1999})._repr_html_())
    assert "–" in html


def points(path: str) -> list[tuple[float, float]]:
    """Points of an SVG path, whose strokes are relative."""
    found: list[tuple[float, float]] = []
    for command, x, y in re.findall(r"([Ml])(-?[\d.]+),(-?[\d.]+)", path):
        before = found[-1] if command == "l" else (0.0, 0.0)
        found.append((before[0] + float(x), before[1] + float(y)))
    return found


def drawn(line: Line, end: float, **how: int) -> str:
    svg = chart("t", "", "says", [line], Axis(0, end, []), Axis(0, 1, []), **how)
    return re.search(r'<path d="([^"]*)" fill="none"', svg)[1]


def test_a_chart_keeps_what_can_be_seen_of_many_points():
    peak = [float(place == 5000) for place in range(10_000)]
    path = drawn(Line([float(place) for place in range(10_000)], peak, 0), 9999, width=142, height=118)
    heights = {round(y, 1) for _, y in points(path)}
    assert heights == {6.0, 100.0}
    # What is level is one stroke.
    assert len(points(path)) < 8
    assert points(path)[-1] == pytest.approx((134.0, 100.0))


def test_a_line_goes_where_its_values_are_and_no_further():
    x = [float(place) for place in range(50)]
    y = [(place * 7 % 50) / 50 for place in range(50)]
    found = points(drawn(Line(x, y, 0), 49, width=142, height=118))
    assert found == [
        pytest.approx((34 + 100 * at / 49, 100 - 94 * value), abs=0.06)
        for at, value in zip(x, y, strict=True)
    ]
    gap = drawn(Line(x, [*y[:20], float("nan"), *y[21:]], 0), 49)
    assert gap.count("M") == 2
    assert drawn(Line([1.0], [0.5], 0), 49).endswith("h1")


@pytest.mark.parametrize("ends", [(109, 670), (3, 20_000), (1, 1e9), (100, 101), (150, 190), (0.4, 2.2)])
def test_ticks_of_a_logarithmic_axis_are_few_and_within(ends):
    ticks = log_ticks(*ends)
    assert len(ticks) <= 4
    assert all(ends[0] * 0.99 <= tick <= ends[1] * 1.01 for tick in ticks)


@pytest.mark.parametrize("high", [0.0, 1e-9, 0.7, 1, 48.2, 99.9, 1234, float("nan"), float("inf")])
def test_ticks_are_round_and_within(high):
    ticks = round_ticks(high)
    assert ticks[0] == 0 and len(ticks) <= 5
    assert all(tick <= high * 1.0001 or not high > 0 for tick in ticks if high == high)


def test_studies_draw_classes_as_they_look_in_the_scenario(tiny):
    tiny["classes"] = [{"name": "Low"}, {"name": "High", "ratio": 3}]
    asked = {
        "version": 2,
        "title": "What K costs <High>",
        "scenario": tiny,
        "vary": [{"path": "switch.ecnThresholdPackets", "values": [5, 20, 40]}],
        "seeds": {"count": 1},
        "measures": [
            {"title": "Each", "value": "classes['{class}'].carriedGbps", "unit": "Gb/s"},
            {"title": "All", "value": "sum(classes.carriedGbps)", "unit": "Gb/s"},
        ],
        "ask": {"kind": "sweep"},
    }
    with ThreadPoolExecutor(1) as threads:
        html = checked(study.run(asked, threads, progress=False)._repr_html_())
    # What is of no class is ink.
    drawn = re.findall(r'<path d="[^"]*" fill="none" stroke="([^"]*)"', html)
    assert sorted(drawn) == ["currentColor", *(f"var(--q-m{own},{look(own).light})" for own in (0, 2))]
    low, high = re.findall(r'stroke-dasharray="([^"]*)"/>', html.split("</figcaption>")[0])
    assert (low, high) == ("2 2.5", "")
    assert "What K costs &lt;High&gt;" in html


def test_what_is_written_beside_an_axis_has_room():
    axis = Axis(1e-4, 1, [(0.0001, "p99.99")], log=True)
    svg = chart("t", "", "says", [], Axis(0, 1, []), axis)
    assert float(re.search(r'<text x="(\d+)"', svg)[1]) >= len("p99.99") * 6
