"""Results: what the engine sums up, by names, and series that every table library reads."""

import json
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import qoscope
from qoscope import _native


@pytest.fixture(scope="module")
def result(scenarios):
    return qoscope.run(scenarios / "presets/three-writers.json", duration_us=4000)


def test_a_run_has_the_committed_digest(scenarios, digests):
    assert qoscope.run(scenarios / "presets/three-writers.json").digest == digests["three-writers"]


def test_seed_duration_and_fields_are_those_of_the_run(tiny):
    changed = qoscope.run(tiny, set={"switch.ecnThresholdPackets": 7}, seed=3, duration_us=1500)
    tiny |= {"seed": 3, "durationUs": 1500, "switch": {"ecnThresholdPackets": 7}}
    assert changed.digest == qoscope.run(tiny).digest
    assert changed.scenario == qoscope.Scenario(tiny)


def test_a_summary_is_read_by_names_with_units(result):
    high = result.classes["High"]
    assert high.latency_us.p50 <= high.latency_us.p99 <= high.latency_us.p999
    assert (
        high["latency_us"]["p99"]
        == high.latencyUs.p99
        == result.summary.to_dict()["classes"][0]["latencyUs"]["p99"]
    )
    assert set(high) >= {"carried_gbps", "latency_us"}
    assert result.classes.names == ["High", "Medium", "Low"]
    assert sum(each.carried_gbps for each in result.classes) < 100
    assert json.loads(json.dumps(result.summary.to_dict()))["scenario"]["name"] == result.scenario.name


def test_names_that_are_not_there_are_answered_by_those_alike(result):
    with pytest.raises(AttributeError, match="latency_us"):
        _ = result.classes["High"].latency
    with pytest.raises(KeyError, match="High"):
        _ = result.classes["Highest"]
    with pytest.raises(AttributeError, match="does not change"):
        result.summary.network = 3


def test_missing_column_offers_near_names(result):
    with pytest.raises(KeyError) as refused:
        result.samples.column("goodput.High")
    assert refused.value.args == ("there is no column \"goodput.High\": did you mean 'goodput_gbps.High'?",)


def test_table_has_length_and_repr(result):
    samples = result.samples
    assert len(samples) == len(samples.column("time_us"))
    assert repr(samples).startswith(f"<Table of {len(samples)} rows: time_us, ")


def test_table_becomes_frames_of_pandas_2_and_3_and_polars(result, monkeypatch):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    samples = result.samples
    with_arrow = samples.to_pandas()
    # pandas 2 has no from_arrow.
    monkeypatch.delattr(pandas.DataFrame, "from_arrow", raising=False)
    column_by_column = samples.to_pandas()
    for frame in (with_arrow, column_by_column, samples.to_polars()):
        assert list(frame.columns) == samples.column_names
        assert list(frame["time_us"]) == samples.column("time_us")
    assert isinstance(samples.to_polars(), polars.DataFrame)


def test_records_are_pickled(result):
    assert pickle.loads(pickle.dumps(result.summary)) == result.summary


def test_results_travel_between_processes(result, tiny):
    there = pickle.loads(pickle.dumps(result))
    assert (there.digest, there.summary, there.scenario, there.link) == (
        result.digest,
        result.summary,
        result.scenario,
        result.link,
    )
    for own, other in ((result.samples, there.samples), (result.distributions, there.distributions)):
        assert {name: own.column(name) for name in own.column_names} == {
            name: other.column(name) for name in other.column_names
        }
    assert there._repr_html_() == result._repr_html_()
    assert pickle.loads(pickle.dumps(there)).digest == result.digest
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(qoscope.run, tiny).result(timeout=60).digest == qoscope.run(tiny).digest


@pytest.mark.parametrize(
    "columns",
    [
        [
            ("a", "numbers", [1.5, None]),
            ("b", "words", ["x", None]),
            ("c", "flags", [True, None]),
            ("d", "whole", [3, None]),
        ],
        [("a", "numbers", [])],
    ],
)
def test_tables_are_pickled(columns):
    table = _native.Table(columns)
    there = pickle.loads(pickle.dumps(table))
    assert [(name, there.column(name)) for name in there.column_names] == [
        (name, values) for name, _, values in columns
    ]


def test_columns_that_are_none_are_refused():
    with pytest.raises(ValueError, match="numbers, whole"):
        _native.Table([("a", "colours", [1])])
    with pytest.raises(TypeError):
        _native.Table([("a", "numbers", ["x"])])


def test_goodput_of_the_series_is_that_of_the_summary(result):
    """Mean of the samples after the warm-up, each weighted by its time, is what the class carried."""
    times, carried = result.samples.column("time_us"), result.samples.column("goodput_gbps.High")
    warm = result.scenario.measurement.warmup_us
    spans = [
        (each - before, value)
        for before, each, value in zip(times, times[1:], carried[1:], strict=False)
        if before >= warm
    ]
    mean = sum(span * value for span, value in spans) / sum(span for span, _ in spans)
    assert mean == pytest.approx(result.classes["High"].carried_gbps, rel=0.05)


def test_distributions_fall_from_one_and_hold_the_percentiles(result):
    table = result.distributions
    rows = [
        (latency, share)
        for name, where, latency, share in zip(
            *map(table.column, ["class", "where", "latency_us", "share_above"]), strict=True
        )
        if (name, where) == ("High", "request")
    ]
    assert len(rows) > 20
    assert rows == sorted(rows, key=lambda row: (row[0], -row[1]))
    p99 = result.classes["High"].latency_us.p99
    assert max(share for latency, share in rows if latency >= p99 * 1.001) <= 0.01
    assert min(share for latency, share in rows if latency <= p99 * 0.999) >= 0.01


def test_every_table_library_reads_the_series(result):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(result.samples)
    assert table.column_names == result.samples.column_names
    assert table["goodput_gbps.High"].to_pylist() == result.samples.column("goodput_gbps.High")
    polars, pandas, duckdb = map(pytest.importorskip, ["polars", "pandas", "duckdb"])
    assert polars.DataFrame(result.samples)["time_us"].to_list() == result.samples.column("time_us")
    assert pandas.DataFrame.from_arrow(result.distributions).groupby("class").size().index.tolist() == [
        "High",
        "Low",
        "Medium",
    ]
    samples = result.samples
    assert samples is not None
    assert duckdb.sql("select count(*) from samples").fetchall() == [(len(samples),)]


def test_a_result_does_not_change_as_its_run_goes_on(tiny):
    simulation = qoscope.Simulation(tiny).run_until(1000)
    result = simulation.result()
    digest, rows = result.digest, len(result.samples)
    simulation.run()
    assert (
        (result.digest, len(result.samples)) == (digest, rows) != (simulation.digest, len(simulation.samples))
    )


def test_a_result_shows_what_it_has(result):
    shown = repr(result)
    assert "Gb/s" in shown and result.digest in shown and "High" in shown
    assert result.engine_version == qoscope.__version__
    assert result.wall_seconds > 0


def test_explain_says_where_values_come_from(tiny):
    field = qoscope.explain(tiny).fields["switch.ecnThresholdPackets"]
    assert (field.value, field.source) == (140, "default")
    assert len(repr(qoscope.explain(tiny).fields)) < 1000


def test_the_model_and_the_planner_answer(scenarios):
    assert len(qoscope.dtm(scenarios / "presets/three-writers.json").time_us) > 100
    plan = qoscope.plan(scenarios / "paper4/paper4-fig7-nested.json")
    assert (plan.capacity_iops, plan.need_iops, plan.left_iops) == (528, 528, 0)


def test_the_catalogue_names_the_transports():
    assert [each.value for each in qoscope.catalogue().transports][:2] == ["qtcp", "dctcp"]


def test_a_network_comes_from_a_file_and_goes_to_one(tiny, tmp_path):
    file = tmp_path / "network.txt"
    file.write_text(qoscope.network_file(tiny))
    assert qoscope.run(qoscope.with_network(tiny, file)).classes["High"].carried_gbps > 0
