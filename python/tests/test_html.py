"""What notebooks show: complete, small, escaped, and the numbers of the result."""

import re
from html.parser import HTMLParser

import pytest

import qoscope
from qoscope._html import Axis, Line, chart, round_ticks


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
    assert len(html) < 60_000
    return html


HOSTILE = {"classes[0].name": "<script>&\"'", "workloads[0].class": "<script>&\"'", "name": "<b>bold</b>"}


def test_a_result_shows_its_numbers(scenarios):
    result = qoscope.run(scenarios / "three-writers.json")
    html = checked(result._repr_html_())
    high = result.classes["High"]
    for text in [f"{high.carried_gbps:.2f}", f"{high.latency_us.p99:.0f}", result.digest, "20 ms", "Gb/s"]:
        assert f"{text}" in html
    assert html.count("<svg") == 2 + 3
    assert html.count('role="img"') == 2


@pytest.mark.parametrize("fields", [{}, HOSTILE, {"durationUs": 100}, {"workloads[0].startUs": 1999}])
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


def test_a_chart_keeps_what_can_be_seen_of_many_points():
    peak = [float(place == 5000) for place in range(10_000)]
    line = Line([float(place) for place in range(10_000)], peak, 0)
    svg = chart("t", "", "says", [line], Axis(0, 9999, []), Axis(0, 1, []), width=142, height=118)
    heights = {float(y) for y in re.findall(r"[ML][\d.]+,([\d.]+)", svg)}
    assert {6.0, 100.0} <= heights
    assert len(svg) < 10_000


@pytest.mark.parametrize("high", [0.0, 1e-9, 0.7, 1, 48.2, 99.9, 1234, float("nan"), float("inf")])
def test_ticks_are_round_and_within(high):
    ticks = round_ticks(high)
    assert ticks[0] == 0 and len(ticks) <= 4
    assert all(tick <= high * 1.0001 or not high > 0 for tick in ticks if high == high)
