"""Studies as they are asked in Python, as documents, and in notebooks."""

import json
import pickle

import pytest
from test_html import checked

import qoscope
from qoscope import study

K = "switch.ecnThresholdPackets"


def committed(scenarios, name: str) -> dict:
    return json.loads((scenarios / f"studies/{name}.json").read_text())


def test_a_search_is_asked_as_it_is_on_the_page(scenarios):
    page = committed(scenarios, "promise-to-high")
    own = study.search(
        scenarios / "presets/three-writers.json",
        vary={
            "switch.ecn_threshold_packets": study.log(5, 400, 14),
            "classes[0].ratio": study.even(1, 6, 21),
        },
        measures=["p99 latency", "Total throughput", "classes['{class}'].carried_gbps"],
        targets=["p99 latency, High < 210", "sum(classes.carried_gbps) >= 96"],
        most="classes['Low'].carried_gbps",
        title=page["title"],
        text=page["text"],
    )
    assert own.to_dict() == page | {
        "scenario": json.loads((scenarios / "presets/three-writers.json").read_text())
    }
    assert (
        own.validate() == [] and own.cost() == study.Study(page | {"scenario": dict(own["scenario"])}).cost()
    )


def test_what_is_asked_of_one_class_has_the_title_and_unit_of_all(tiny):
    own = study.search(
        tiny,
        vary=["switch.ecn_threshold_packets"],
        targets="classes['Low'].carried_gbps > 2",
        least="switch.ecn_threshold_packets",
        confidence=0.9,
        confirm=10,
        max_runs=50,
        seeds=4,
        first_seed=7,
        set={"duration_us": 1000},
    )
    measure = {"title": "Throughput, Low", "value": "classes['Low'].carriedGbps", "unit": "Gb/s"}
    assert own["measures"] == [measure]
    assert own["ask"] == {
        "kind": "search",
        "targets": [{"measure": "Throughput, Low", "atLeast": 2, "confidence": 0.9}],
        "prefer": [{"of": K, "wanted": "min"}],
        "confirm": 10,
        "maxRuns": 50,
    }
    assert (own["seeds"], own["set"]) == ({"count": 4, "first": 7}, {"durationUs": 1000})
    # Over the range that the engine suggests.
    assert own["vary"][0]["path"] == K and own["vary"][0]["range"]["scale"] == "log"
    assert own.title == f"two writers: {K}" and own.validate() == []


def test_what_varies_is_values_ranges_moves_or_alternatives(tiny):
    own = study.sweep(
        tiny,
        vary={
            "classes[].transport": ("qtcp", "dctcp"),
            "Rates": study.moves({"topology.link_gbps": 1, "topology.base_rtt_us": 10}, [10, 25]),
            "Buffer": study.alternatives({"as it is": {}, "shallow_one": {"switch.buffer_packets": 100}}),
        },
        measures={"my_queue": ("network.mean_queue_packets", "packets"), "drops": "network.drops"},
        within={"percent": 5, "max_seeds": 12},
        seeds=4,
    )
    assert own["vary"] == [
        {"path": "classes[].transport", "values": ["qtcp", "dctcp"]},
        {
            "title": "Rates",
            "moves": [{"path": "topology.linkGbps", "times": 1}, {"path": "topology.baseRttUs", "times": 10}],
            "values": [10, 25],
        },
        {
            "title": "Buffer",
            "alternatives": [
                {"title": "as it is", "set": {}},
                {"title": "shallow_one", "set": {"switch.bufferPackets": 100}},
            ],
        },
    ]
    queue = {"title": "my_queue", "value": "network.meanQueuePackets", "unit": "packets"}
    assert study.sweep(tiny, vary={K: 10, "classes[].transport": "qtcp"})["vary"] == [
        {"path": K, "values": [10]},
        {"path": "classes[].transport", "values": ["qtcp"]},
    ]
    assert own["measures"] == [queue, {"title": "drops", "value": "network.drops"}]
    assert own["ask"] == {"kind": "sweep", "within": {"percent": 5, "maxSeeds": 12}}
    assert own.validate() == [] and own.cost().points == 8
    wanted = study.search(
        tiny,
        vary={"Buffer": own["vary"][2]},
        measures={"my_queue": "network.mean_queue_packets"},
        targets="my_queue < 30",
        least=["my_queue"],
    )
    assert [each["measure"] for each in wanted["ask"]["targets"]] == ["my_queue"]
    assert wanted["ask"]["prefer"] == [{"of": "my_queue", "wanted": "min"}]
    assert [each["title"] for each in wanted["measures"]] == ["my_queue"] and wanted.validate() == []


def test_a_sensitivity_takes_all_that_matters_unless_it_is_told(tiny):
    own = study.sensitivity(tiny, measures=["sum(classes.carried_gbps)"], walks=4)
    assert "vary" not in own and own["ask"] == {"kind": "sensitivity", "walks": 4}
    assert own.validate() == [] and own.cost().points > 4 * 20
    assert own["measures"] == [
        {"title": "Total throughput", "value": "sum(classes.carriedGbps)", "unit": "Gb/s"}
    ]


def test_what_cannot_be_asked_is_told(tiny):
    with pytest.raises(
        qoscope.QoScopeError, match=r"No range is suggested for 'switch\.ecn_treshold_packets'"
    ):
        study.sweep(tiny, vary=["switch.ecn_treshold_packets"])
    with pytest.raises(qoscope.QoScopeError, match="takes a measure, < or > and a number"):
        study.search(tiny, vary=[K], targets="throughput = 3", least=K)
    faults = study.sweep(tiny, vary={"switch.ecn_treshold_packets": [1]}).validate()
    assert [fault.path for fault in faults] == ["vary[0].path"] and "ecnThresholdPackets" in faults[0].hint


def test_a_study_is_read_from_wherever_it_is(scenarios, tiny, tmp_path, monkeypatch):
    file = scenarios / "studies/k-and-rtt.json"
    named = study.Study(file)
    assert named.scenario.name == json.loads((scenarios / "paper1/paper1-fig9a.json").read_text())["name"]
    assert dict(named) == json.loads(file.read_text()) and "sweep of" in repr(named)
    monkeypatch.chdir(scenarios.parent)
    assert study.Study("k-and-rtt").to_dict() == named.to_dict()
    # Beside its file, and saved again.
    (tmp_path / "two.json").write_text(json.dumps(tiny))
    own = study.sweep(tiny, vary={K: [10]}, measures=["network.drops"])
    study.Study(own.to_dict() | {"scenario": "two"}, scenario=tiny).save(tmp_path / "study.json")
    again = study.Study(tmp_path / "study.json")
    assert again.scenario == own.scenario and again.validate() == []
    # The page may leave out the scenario that is open.
    bare = {name: value for name, value in own.items() if name != "scenario"}
    assert [fault.path for fault in study.Study(bare).validate()] == ["scenario"]
    assert study.Study(bare, scenario=tiny).validate() == []
    with pytest.raises(qoscope.QoScopeError, match="no scenario 'nowhere'"):
        (tmp_path / "lost.json").write_text(json.dumps(bare | {"scenario": "nowhere"}))
        study.Study(tmp_path / "lost.json")
    for wrong, why in (("nowhere", "There is no study"), ("{", "no JSON"), (tmp_path, "cannot be read")):
        with pytest.raises(qoscope.QoScopeError, match=why):
            study.Study(wrong)
    assert pickle.loads(pickle.dumps(own)).to_dict() == own.to_dict()


def test_results_read_in_a_notebook(tiny):
    k = {"switch.ecn_threshold_packets": study.log(5, 80, 4)}
    swept = study.sweep(tiny, vary=k, seeds=3, title="K < 100 & more").run(jobs=1)
    html = checked(swept._repr_html_())
    assert "K &lt; 100 &amp; more" in html and "4 points, 12 runs made" in html
    assert html.count("<figure>") == 2 and html.count("<tr>") == 5
    cell = swept.points[0].cells["Total throughput"]
    half = (cell.high - cell.low) / 2
    assert f"± {half:.1f}" in html
    for sentence in swept.says:
        assert sentence.split(",")[0] in html
    both = study.sweep(
        tiny, vary=k | {"topology.base_rtt_us": [1, 50, 100]}, measures=["network.drops"], seeds=1
    ).run(jobs=1)
    html = checked(both._repr_html_())
    assert html.count("<figure>") == 1 and html.count("refused [1]") == 4 and "RTT 50" in html
    found = study.search(tiny, vary=k, targets="network.drops < 1", least=K, confirm=10).run(jobs=1)
    html = checked(found._repr_html_())
    assert found.says[0] in html.replace("&#x27;", "'") and "10 of 10" in html and "answer" in html
    moved = study.sensitivity(
        tiny, vary=[K, "switch.buffer_packets"], measures=["network.max_queue_packets"], walks=4
    )
    ranked = moved.run(jobs=1)
    html = checked(ranked._repr_html_())
    assert ranked.says[0] in html and html.count("<tr>") == 3
    for effect in ranked.answer.rankings[0].effects:
        assert f"<td>{effect.role}</td>" in html
