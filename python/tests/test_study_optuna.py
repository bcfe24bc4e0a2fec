"""Trials of Optuna as runs of a study."""

import optuna
import pytest

import qoscope
from qoscope import study
from qoscope.study import _pool

K = "switch.ecnThresholdPackets"
optuna.logging.set_verbosity(optuna.logging.WARNING)


@pytest.fixture
def search(tiny) -> study.Study:
    return study.search(
        tiny,
        vary={
            K: study.log(5, 80, 9),
            "classes[0].ratio": study.even(1, 4, 7),
            "classes[].transport": ["qtcp", "dctcp"],
        },
        targets=["classes['High'].carried_gbps > 2.9", "network.max_queue_packets < 60"],
        least=K,
        most="Total throughput",
        seeds=3,
    )


def test_trials_are_paired_runs_with_the_constraints_of_the_study(search, tmp_path, monkeypatch):
    trials = study.optuna(search, trials=12, out=tmp_path, jobs=2, at_once=3, progress=False)
    assert [trial.state.name for trial in trials.trials] == ["COMPLETE"] * 12
    assert [direction.name for direction in trials.directions] == ["MINIMIZE", "MAXIMIZE"]
    for trial in trials.trials[:2]:
        fields = {path: value for path, value in trial.params.items() if "[]" not in path}
        fields |= {f"classes[{place}].transport": trial.params["classes[].transport"] for place in (0, 1)}
        # By hand: the same seeds of every trial.
        runs = [qoscope.run(search.scenario, set=fields, seed=seed) for seed in (1, 2, 3)]
        high = [run.classes["High"].carried_gbps for run in runs]
        total = [sum(each.carried_gbps for each in run.classes) for run in runs]
        queue = [run.summary.network.max_queue_packets for run in runs]
        assert trial.values == pytest.approx([trial.params[K], sum(total) / 3])
        assert list(trial.constraints.values()) == pytest.approx(
            [(2.9 - min(high)) / 2.9, (max(queue) - 60) / 60]
        )
        assert trial.user_attrs["Total throughput"] == pytest.approx(sum(total) / 3)
    # The sampler that is taken knows the constraints.
    assert any(max(trial.constraints.values()) > 0 for trial in trials.trials)
    assert all(max(trial.constraints.values()) <= 0 for trial in trials.best_trials)
    # The same sampler makes the same trials, whose runs are known by now.
    monkeypatch.setattr(_pool.Local, "submit", None)
    again = study.optuna(search, trials=12, out=tmp_path, jobs=2, at_once=3, progress=False)
    assert [trial.params for trial in again.trials] == [trial.params for trial in trials.trials]


def test_a_study_of_optuna_calls_the_objective_and_goes_on(tiny):
    search = study.search(
        tiny,
        vary={"topology.base_rtt_us": study.even(1, 60, 60)},
        targets="network.drops < 1",
        least="topology.base_rtt_us",
        seeds=1,
    )
    with study.Objective(search, jobs=1) as objective:
        own = optuna.create_study(
            directions=objective.directions, sampler=optuna.samplers.RandomSampler(seed=1)
        )
        own.optimize(objective, n_trials=6)
    study.optuna(search, into=own, trials=6, jobs=1, progress=False)
    states = [trial.state.name for trial in own.trials]
    assert len(states) == 12 and set(states) == {"COMPLETE", "PRUNED"}
    for trial in own.trials:
        refused = qoscope.validate(
            tiny | {"topology": {**tiny["topology"], "baseRttUs": trial.params["topology.baseRttUs"]}}
        )
        assert (trial.state.name == "PRUNED") == bool(refused)
        assert not refused or "the network alone takes" in trial.user_attrs["why"]


def test_what_is_no_search_is_refused(tiny):
    with pytest.raises(qoscope.QoScopeError, match="asks a sweep"):
        study.optuna(study.sweep(tiny, vary={K: [10]}))
    with pytest.raises(qoscope.InvalidError, match=r"vary\[0\]\.path"):
        study.optuna(
            study.search(
                tiny, vary={"switch.nothing": [1]}, targets="network.drops < 1", least="network.drops"
            )
        )
