"""Runs that are driven: by steps, by samples, with changes, forks and returns."""

import threading

import pytest

import qoscope
from qoscope import InvalidError, Simulation

K = "switch.ecnThresholdPackets"


def test_steps_give_the_run(tiny):
    straight = qoscope.run(tiny).digest
    assert Simulation(tiny).run().digest == straight
    by_time = Simulation(tiny)
    while not by_time.is_ended:
        by_time.step(us=37.25)
    assert (by_time.digest, by_time.time_us) == (straight, 2000)
    by_events = Simulation(tiny)
    while not by_events.is_ended:
        by_events.step(events=1009)
    assert by_events.digest == straight


def test_a_step_of_events_is_of_so_many(tiny):
    simulation = Simulation(tiny).step(events=500)
    assert 500 <= simulation.events < 600
    assert 0 < simulation.time_us < simulation.duration_us


def test_samples_come_one_by_one_as_the_series_has_them(tiny):
    simulation = Simulation(tiny)
    seen = []
    for row in simulation:
        assert row["time_us"] == simulation.time_us
        seen.append(row)
    table = simulation.samples
    assert [row["goodput_gbps.High"] for row in seen] == table.column("goodput_gbps.High")
    assert simulation.digest == qoscope.run(tiny).digest


def test_samples_go_on_from_where_a_run_stands(tiny):
    simulation = Simulation(tiny).run_until(1003)
    before = len(simulation.samples)
    assert len(list(simulation)) == len(qoscope.run(tiny).samples) - before


def test_a_controller_can_change_fields_at_samples(tiny):
    simulation = Simulation(tiny)
    for row in simulation:
        if row["time_us"] > 1000 and simulation.current.switch.ecn_threshold_packets != 5:
            simulation.set(K, 5)
    assert len(simulation.scenario.timeline) == 1
    assert qoscope.run(simulation.scenario).digest == simulation.digest != qoscope.run(tiny).digest


def test_several_changes_are_made_together_or_not_at_all(tiny):
    simulation = Simulation(tiny).run_until(500)
    with pytest.raises(InvalidError, match="ecnThresholdPackets"):
        simulation.set({"classes[0].ratio": 2, K: 0})
    assert simulation.current.classes["High"].ratio == 3
    simulation.set({"classes[0].ratio": 2, K: 30})
    assert (simulation.current.classes["High"].ratio, simulation.current.switch.ecn_threshold_packets) == (
        2,
        30,
    )


def test_a_run_returns_to_an_instant_as_often_as_wanted(tiny):
    simulation = Simulation(tiny).run_until(700)
    instant = simulation.checkpoint()
    ends = [simulation.restore(instant).set(K, k).run().digest for k in [5, 50, 5]]
    assert ends[0] == ends[2] != ends[1]
    assert simulation.restore(instant).run().digest == qoscope.run(tiny).digest
    assert instant.time_us == 700


def test_forks_go_their_own_ways(tiny):
    simulation = Simulation(tiny).run_until(700)
    other = simulation.fork().set(K, 5).run()
    assert simulation.time_us == 700
    assert simulation.run().digest == qoscope.run(tiny).digest != other.digest


@pytest.mark.parametrize(
    "ask", [{}, {"us": 3, "events": 4}, {"us": -1}, {"us": float("nan")}, {"events": -1}]
)
def test_steps_that_are_none_are_refused(tiny, ask):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        Simulation(tiny).step(**ask)


def test_beyond_the_end_is_the_end(tiny):
    assert Simulation(tiny).run_until(1e300).time_us == 2000
    assert Simulation(tiny).run_until(float("inf")).time_us == 2000


def test_runs_in_threads_are_the_runs(tiny):
    want = [qoscope.run(tiny, seed=seed).digest for seed in range(6)]
    got = [""] * 6

    def make(seed: int) -> None:
        got[seed] = qoscope.run(tiny, seed=seed).digest

    threads = [threading.Thread(target=make, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == want


def test_a_run_shows_where_it_stands(tiny):
    assert "700 of 2000 us" in repr(Simulation(tiny).run_until(700))


def test_live_fields_are_named_in_both_spellings(tiny):
    simulations = [
        qoscope.Simulation(tiny).step(us=500).set(path, 12)
        for path in ("switch.ecnThresholdPackets", "switch.ecn_threshold_packets")
    ]
    first, second = (own.run().digest for own in simulations)
    assert first == second != qoscope.run(tiny).digest
