"""Scenarios: read from everything, changed by names, judged by the engine at once."""

import copy
import json
import pickle

import pytest

import qoscope
from qoscope import InvalidError, QoScopeError, Scenario


@pytest.fixture
def scenario(tiny) -> Scenario:
    return Scenario(tiny)


def test_a_scenario_is_read_from_everything(tiny, tmp_path, monkeypatch):
    (tmp_path / "scenarios" / "presets").mkdir(parents=True)
    file = tmp_path / "scenarios" / "presets" / "tiny.json"
    file.write_text("\ufeff" + json.dumps(tiny), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    own = Scenario(tiny)
    for source in [own, json.dumps(tiny), file, str(file), "tiny", own.link, own.copy()]:
        assert Scenario(source) == own


def test_every_committed_scenario_is_read_and_comes_back(scenarios):
    others = {"figures", "lessons", "results", "studies"}
    files = sorted(file for file in scenarios.glob("*/*.json") if file.parent.name not in others)
    assert len(files) > 40
    for file in files:
        own = Scenario(file)
        assert Scenario(own.to_dict()).hash == own.hash, file.name


def test_fields_are_read_in_both_spellings_and_set(scenario):
    assert scenario.switch.ecn_threshold_packets == scenario.switch.ecnThresholdPackets == 140
    scenario.switch.ecn_threshold_packets = 40
    scenario.classes["Low"].ratio = 2
    scenario["seed"] = 5
    scenario.workloads[0].traffic = {
        "kind": "closed-loop",
        "outstanding": 4,
        "size": {"kind": "uniform", "minimumBlocks": 1, "maximumBlocks": 1},
    }
    document = scenario.to_dict()
    assert document["switch"] == {"ecnThresholdPackets": 40}
    assert document["classes"][1] == {"name": "Low", "ratio": 2}
    assert (document["seed"], scenario.seed) == (5, 5)
    assert scenario.workloads[0].traffic.outstanding == 4
    assert scenario.workloads[-1].traffic.kind == "backlogged"


def test_paths_are_taken_in_both_spellings(scenario):
    both = [
        qoscope.Scenario(scenario, set={path: 55})
        for path in ("switch.ecnThresholdPackets", "switch.ecn_threshold_packets")
    ]
    assert [own.switch.ecn_threshold_packets for own in both] == [55, 55]
    with pytest.raises(qoscope.InvalidError, match="ecnTresholdPackets"):
        scenario.set({"switch.ecn_treshold_packets": 55})


def test_what_follows_from_other_fields_reads_as_what_is_in_force(scenario):
    fields = {field["path"]: field for field in scenario.explain().to_dict()["fields"]}
    assert fields["measurement.warmupUs"]["source"] == "derived"
    assert scenario.measurement.warmup_us == fields["measurement.warmupUs"]["value"] == 400
    scenario.duration_us = 1000
    assert scenario.measurement.warmup_us == 200


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("switch.ecnThresholdPackets", -3, "least value 1"),
        ("switch.ecnThresholdPackets", "many", "number"),
        ("classes[1].name", "High", "High"),
        ("topology.shape.kind", "torus", "torus"),
        ("durationUs", None, "durationUs"),
    ],
)
def test_a_refused_value_leaves_all_as_it_was(scenario, path, value, sentence):
    before = scenario.to_json()
    with pytest.raises(InvalidError, match=sentence) as refused:
        scenario.set({"seed": 9, path: value})
    assert refused.value.faults
    assert all(fault.reason and fault.severity == "error" for fault in refused.value.faults)
    assert scenario.to_json() == before


def test_every_fault_is_named(tiny):
    tiny["durationUs"] = 0
    tiny["classes"][0]["transport"] = "carrier pigeon"
    tiny["switch"] = {"ecnThresholdPackets": 0}
    with pytest.raises(InvalidError) as refused:
        Scenario(tiny)
    assert {fault.path for fault in refused.value.faults} >= {"classes[0].transport"}
    assert [str(fault) for fault in qoscope.validate(tiny)] == [str(fault) for fault in refused.value.faults]
    assert pickle.loads(pickle.dumps(refused.value)).faults == refused.value.faults


def test_fields_that_belong_together_are_set_together(scenario):
    scenario.set({"classes[0].name": "Top", "workloads[0].class": "Top"})
    assert [each.name for each in scenario.classes] == ["Top", "Low"]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda own: own.switch.ecn_treshold, "ecn_threshold_packets"),
        (lambda own: own.sede, "seed"),
        (lambda own: own.classes["Hgh"], "did you mean 'High'"),
        (lambda own: own.classes[2], "2 elements"),
        (lambda own: setattr(own, "sead", 3), "seed"),
        (lambda own: own.copy(durationus=3), "duration_us"),
    ],
)
def test_names_that_are_not_there_are_answered_by_those_alike(scenario, ask, sentence):
    with pytest.raises((AttributeError, LookupError)) as refused:
        ask(scenario)
    assert sentence in str(refused.value)


def test_a_list_says_how_its_elements_are_read(scenario, tiny):
    with pytest.raises(AttributeError, match=r"classes is a list, without 'append'.* set as a whole"):
        scenario.classes.append({"name": "Third"})
    with pytest.raises(AttributeError, match=r"no 'High' in a list.* \['High'\]"):
        _ = qoscope.run(tiny).classes.High


def test_copies_are_apart(scenario):
    for other in [
        scenario.copy(),
        copy.copy(scenario),
        copy.deepcopy(scenario),
        pickle.loads(pickle.dumps(scenario)),
    ]:
        assert other == scenario
        other.seed = 99
        assert scenario.seed == 1
    assert (
        scenario.copy(seed=7, duration_us=500).to_dict() | {"seed": 1, "durationUs": 2000}
        == scenario.to_dict()
    )


def test_a_scenario_shows_what_it_has(scenario):
    shown = repr(scenario)
    assert "two writers" in shown and "High qtcp" in shown and scenario.hash in shown
    assert "ecn_threshold_packets" in dir(scenario.switch)
    assert "classes" in dir(scenario)
    assert len(repr(scenario.switch)) < 1000


def test_a_scenario_is_saved_and_read(scenario, tmp_path):
    scenario.save(tmp_path / "own.json")
    assert Scenario(tmp_path / "own.json") == scenario


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("no-such-scenario", "no-such-scenario"),
        ("{", "JSON"),
        ({}, "version"),
        ({"version": 99}, "version"),
        ([], "list"),
        (3, "int"),
        (None, "NoneType"),
        ({"version": 3, "durationUs": float("nan")}, "durationUs: is nan"),
        ({"version": 3, "classes": [{"ratio": {3}}]}, r"classes\[0\].ratio: is \{3\}, a set"),
    ],
)
def test_nonsense_is_refused_by_a_sentence(source, sentence):
    with pytest.raises((QoScopeError, TypeError), match=sentence):
        Scenario(source)


def test_a_folder_and_a_picture_are_no_scenarios(tmp_path):
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff")
    for path in [tmp_path, tmp_path / "picture.png"]:
        with pytest.raises(QoScopeError, match="cannot be read"):
            Scenario(path)


def test_warnings_are_not_faults(tiny):
    tiny["measurement"] = {"warmupUs": 1999}
    assert all(fault.severity == "warning" for fault in Scenario(tiny).warnings())
