"""Links: read as the page writes them, damaged by mail programs or not, and refused where they are no scenario."""

import base64
import json
import zlib

import pytest
from places import REPOSITORY

import qoscope
from qoscope import QoScopeError, Scenario

PAGE = json.loads((REPOSITORY / "tests/links.json").read_text())
"""A scenario, and the links that the page has made of it, which its own tests hold against the page's code."""

LINK = PAGE["links"]["2"]


def packed(text: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).rstrip(b"=").decode()


@pytest.mark.parametrize("version", PAGE["links"])
def test_links_of_the_page_are_read_and_brought_to_this_version(version):
    assert PAGE["scenario"]["version"] == 2
    assert Scenario(PAGE["links"][version]).to_dict() == {**PAGE["scenario"], "version": 3}


@pytest.mark.parametrize(
    "mailed",
    [
        f"https://qoscope.example/{LINK}",
        f"https://qoscope.example/page?old#{LINK[1:]}\n",
        LINK.replace("#", "%23"),
        f"  {LINK[:80]}\n{LINK[80:]}  ",
        f"{LINK[:75]}=\r\n{LINK[75:]}",
    ],
)
def test_links_in_addresses_and_mails_are_read(mailed):
    assert Scenario(mailed) == Scenario(PAGE["scenario"])


def test_a_link_is_the_scenario_again(tiny):
    scenario = Scenario(tiny, set={"seed": 11, "classes[0].name": "Größe", "workloads[0].class": "Größe"})
    assert Scenario(scenario.link).to_dict() == scenario.to_dict()


def test_the_link_of_a_run_has_its_changes(tiny):
    run = qoscope.Simulation(tiny).run_until(1000).set("switch.ecnThresholdPackets", 5).run()
    assert qoscope.run(run.result().link).digest == run.digest


@pytest.mark.parametrize("at", range(3, len(LINK), 37))
def test_a_changed_character_is_seen(at):
    with pytest.raises(QoScopeError, match=r"damaged|no link"):
        Scenario(LINK[:at] + ("x" if LINK[at] != "x" else "y") + LINK[at + 1 :])


@pytest.mark.parametrize("end", range(10, len(LINK), 53))
def test_a_missing_end_is_seen(end):
    with pytest.raises(QoScopeError, match="damaged"):
        Scenario(LINK[:end])


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("#9.abc", "newer"),
        ("#1." + packed("not JSON"), "JSON"),
        ("#1." + packed('{"version": 2}'), "classes"),
        ("#1." + packed(" " * 20_000_000), "too much"),
        ("#1.", "damaged"),
    ],
)
def test_links_that_hold_no_scenario_are_refused(link, sentence):
    with pytest.raises(QoScopeError, match=sentence):
        Scenario(link)
