use proptest::prelude::*;

use super::*;

/// 1500-byte packets per second of a link of so many Gb/s.
fn packets_per_second(gbps: f64) -> f64 {
    gbps * 1e9 / 8.0 / 1500.0
}

/// Backlogged QTCP classes with one round trip and K = 140.
fn qtcp(gbps: f64, rtt_us: f64, ratios: &[f64]) -> Parameters {
    let classes = ratios.iter().map(|&ratio| Class::qtcp(ratio, rtt_us / 2e6)).collect();
    Parameters::new(packets_per_second(gbps), 140.0, classes)
}

fn with_each(mut parameters: Parameters, change: impl Fn(usize, &mut Class)) -> Parameters {
    parameters.classes.iter_mut().enumerate().for_each(|(index, class)| change(index, class));
    parameters
}

/// Mean throughput of each class over the slots `from..to`, in Gb/s.
fn mean_gbps(parameters: Parameters, from: u64, to: u64) -> Vec<f64> {
    let mut model = Model::new(parameters, Initial::Threshold);
    let mut carried = vec![0.0; model.classes().len()];
    let mut time = 0.0;
    for slot in 0..to {
        model.step();
        if slot >= from {
            let length = model.end_s() - model.start_s();
            time += length;
            for (carried, state) in carried.iter_mut().zip(model.classes()) {
                *carried += state.throughput_pps * length;
            }
        }
    }
    carried.iter().map(|packets| packets * 1500.0 * 8.0 / 1e9 / time).collect()
}

#[track_caller]
fn assert_near(found: &[f64], wanted: &[f64], relative: f64) {
    let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= relative * wanted);
    assert!(near && found.len() == wanted.len(), "{found:.3?} is not within {relative} of {wanted:?}");
}

/// Paper 2 eqs. 9-15 written down a second time for one round trip and one connection per class, as an oracle. `sign` is
/// +1 for Q = target / actual and -1 for its inverse, which paper 2 eqs. 5-6 print.
fn literal(parameters: &Parameters, slots: usize, sign: i32) -> Vec<Vec<(f64, f64)>> {
    let count = parameters.classes.len();
    let capacity = parameters.capacity_pps;
    let threshold = parameters.threshold_packets;
    let ratios: f64 = parameters.classes.iter().map(Class::ratio).sum();
    let shares: Vec<f64> = parameters.classes.iter().map(|class| capacity * class.ratio() / ratios).collect();
    let base = 2.0 * parameters.classes[0].baseline_s;
    let mut queue = vec![threshold / count as f64; count];
    let mut rtt = base + queue.iter().sum::<f64>() / capacity;
    let mut window = vec![rtt * capacity / count as f64; count];
    let mut alpha = vec![0.0; count];
    let mut history = Vec::new();
    for _ in 0..slots {
        let before: f64 = queue.iter().sum();
        let marked = if before >= threshold { 1.0 - (threshold - 1.0) / before } else { 0.0 };
        let next_rtt = base + before / capacity;
        for i in 0..count {
            let ratio = shares[i] * rtt / window[i];
            let quality = if sign > 0 { ratio } else { 1.0 / ratio };
            alpha[i] += parameters.classes[i].gain * (marked - alpha[i]);
            let congested = match parameters.cut {
                CutRule::MarkSeen => marked > 0.0,
                CutRule::AlphaAbove(epsilon) => alpha[i] > epsilon,
            };
            window[i] = match congested {
                false => window[i] + 1.0,
                true if quality > 1.0 => window[i] * (1.0 - alpha[i] / 2.0),
                true => window[i] * (1.0 - alpha[i] / 2.0) * quality,
            };
            window[i] = window[i].max(1.0);
        }
        rtt = next_rtt;
        let offered: Vec<f64> = queue.iter().zip(&window).map(|(queue, window)| queue + window).collect();
        let total: f64 = offered.iter().sum();
        for i in 0..count {
            queue[i] = match parameters.drain {
                Drain::Published => (offered[i] - shares[i] * rtt).max(0.0),
                Drain::Fifo => offered[i] * (1.0 - (capacity * rtt / total).min(1.0)),
            };
        }
        history.push((0..count).map(|i| (window[i], (offered[i] - queue[i]) / rtt)).collect());
    }
    history
}

#[test]
fn with_one_round_trip_the_model_is_the_published_recursion() {
    for drain in [Drain::Fifo, Drain::Published] {
        for cut in [CutRule::MarkSeen, CutRule::AlphaAbove(1e-3)] {
            let parameters = Parameters { cut, drain, ..qtcp(100.0, 62.0, &[3.0, 2.0, 1.0]) };
            let mut model = Model::new(parameters.clone(), Initial::Threshold);
            for (slot, wanted) in literal(&parameters, 500, 1).into_iter().enumerate() {
                model.step();
                for (state, (window, throughput)) in model.classes().iter().zip(wanted) {
                    let error =
                        (state.window_packets / window - 1.0).abs() + (state.throughput_pps / throughput - 1.0).abs();
                    assert!(error < 1e-6, "{drain:?} {cut:?} slot {slot}: {state:?}, wanted {window} {throughput}");
                }
            }
        }
    }
}

#[test]
fn shares_follow_the_ratios() {
    for cut in [CutRule::MarkSeen, CutRule::AlphaAbove(1e-3)] {
        let parameters = Parameters { cut, ..qtcp(10.0, 248.0, &[1.0, 2.0, 3.0]) };
        assert_near(&mean_gbps(parameters, 500, 3000), &[1.67, 3.33, 5.0], 0.01);
        let parameters = Parameters { cut, ..qtcp(100.0, 98.0, &[3.0, 2.0, 1.0]) };
        assert_near(&mean_gbps(parameters, 500, 3000), &[50.0, 33.3, 16.7], 0.01);
    }
}

#[test]
fn dctcp_is_blind_to_the_ratios() {
    let parameters = with_each(qtcp(10.0, 248.0, &[1.0, 2.0, 3.0]), |_, class| class.control = Control::Dctcp);
    assert_near(&mean_gbps(parameters, 500, 3000), &[3.33, 3.33, 3.33], 0.01);
    // 90, 60 and 30 Gb/s offered to 100: the least gets what it offers, the others share the rest.
    let parameters = with_each(qtcp(100.0, 25.0, &[3.0, 2.0, 1.0]), |index, class| {
        class.control = Control::Dctcp;
        class.load = Load::Open { pps: packets_per_second([90.0, 60.0, 30.0][index]) };
    });
    assert_near(&mean_gbps(parameters, 500, 3000), &[35.0, 35.0, 30.0], 0.03);
}

#[test]
fn a_class_that_offers_less_than_its_share_leaves_the_rest_to_the_others() {
    let offered = [90.0, 60.0, 10.0];
    let parameters = with_each(qtcp(100.0, 25.0, &[3.0, 2.0, 1.0]), |index, class| {
        class.load = Load::Open { pps: packets_per_second(offered[index]) };
    });
    let found = mean_gbps(parameters, 1000, 4000);
    assert_near(&found[2..], &[10.0], 0.01);
    assert_near(&[found.iter().sum()], &[100.0], 0.01);
}

#[test]
fn the_published_drain_wastes_capacity() {
    let wasteful =
        Parameters { drain: Drain::Published, cut: CutRule::AlphaAbove(1e-2), ..qtcp(10.0, 248.0, &[1.0, 2.0, 3.0]) };
    let total: f64 = mean_gbps(wasteful.clone(), 500, 3000).iter().sum();
    assert!((7.1..=9.1).contains(&total), "{total}");
    let total: f64 = mean_gbps(Parameters { drain: Drain::Fifo, ..wasteful }, 500, 3000).iter().sum();
    assert!(total > 9.99, "{total}");
}

#[test]
fn the_inverse_quality_factor_starves_the_most_important_class() {
    let mean = |parameters: &Parameters| {
        let history = literal(parameters, 3000, -1);
        let sum = |class: usize| history[500..].iter().map(|slot| slot[class].1).sum::<f64>();
        (0..3).map(|class| sum(class) / 2500.0 * 1500.0 * 8.0 / 1e9).collect::<Vec<f64>>()
    };
    let found = mean(&qtcp(10.0, 248.0, &[1.0, 2.0, 3.0]));
    assert!(found[2] < 0.1, "{found:?}");
    let found = mean(&qtcp(100.0, 98.0, &[3.0, 2.0, 1.0]));
    assert!(found[0] < 1.0, "{found:?}");
}

/// Slots until the slowest class has converged: within 5 % for 20 slots.
fn slots_to_converge(parameters: Parameters) -> Vec<u64> {
    let found = converge(parameters, Initial::Threshold, 0.05, 20, 5000);
    found.into_iter().map(|found| found.expect("every class converges").slot).collect()
}

#[test]
fn convergence_takes_the_round_trips_it_should() {
    for (gbps, rtt_us, ratios, range) in [
        (100.0, 25.0, [3.0, 2.0, 1.0], 48..=60),
        (10.0, 248.0, [1.0, 2.0, 3.0], 50..=60),
        (100.0, 98.0, [3.0, 2.0, 1.0], 118..=150),
    ] {
        let found = slots_to_converge(qtcp(gbps, rtt_us, &ratios));
        assert!(found.iter().all(|slot| range.contains(slot)), "{gbps} Gb/s, {rtt_us} us: {found:?}");
    }
}

#[test]
fn a_small_epsilon_decides_when_the_classes_converge() {
    let slots = |epsilon| {
        let parameters = Parameters { cut: CutRule::AlphaAbove(epsilon), ..qtcp(100.0, 25.0, &[3.0, 2.0, 1.0]) };
        slots_to_converge(parameters).into_iter().max().unwrap()
    };
    assert!(slots(1e-4) < 15 && (70..=95).contains(&slots(1e-2)), "{} {}", slots(1e-4), slots(1e-2));
}

#[test]
fn convergence_is_the_start_of_the_first_long_enough_stay() {
    let qualities = [2.0, 1.0, 1.04, 1.2, 0.96, 1.0, 1.05, 0.9];
    assert_eq!(convergence_slot(qualities, 0.05, 2), Some(1));
    assert_eq!(convergence_slot(qualities, 0.0501, 3), Some(4));
    assert_eq!(convergence_slot(qualities, 0.0501, 4), None);
    assert_eq!(convergence_slot([f64::NAN, 1.0], 0.05, 1), Some(1));
}

#[test]
fn the_mean_of_q_comes_near_1_before_q_stays_there() {
    let first = |criterion| {
        let mut search = ConvergenceSearch::new(3, criterion, 0.05, 20);
        let mut model = Model::new(qtcp(100.0, 25.0, &[3.0, 2.0, 1.0]), Initial::Threshold);
        while !search.look(&model) {
            model.step();
        }
        search.found().into_iter().flatten().map(|found| found.slot).max()
    };
    assert!(first(Criterion::Mean) < first(Criterion::Stay));
}

#[test]
fn qtcp_holds_the_ratios_over_unequal_round_trips_and_dctcp_does_not() {
    let unequal = |control| {
        with_each(qtcp(10.0, 350.0, &[1.0, 2.0, 3.0]), |index, class| {
            class.control = control;
            class.baseline_s = if index == 2 { 900e-6 } else { 175e-6 };
        })
    };
    let found = mean_gbps(unequal(Control::Qtcp), 20_000, 60_000);
    assert_near(&found, &[1.67, 3.33, 5.0], 0.08);
    let found = mean_gbps(unequal(Control::Dctcp), 20_000, 60_000);
    assert!(found[2] < found[0] / 2.0 && (found[0] / found[1] - 1.0).abs() < 0.02, "{found:?}");
}

/// The rate control of SIGCOMM 2015 behind a link of so many Gb/s.
fn sigcomm15(gbps: f64) -> Pacing {
    Pacing {
        interval_s: 50e-6,
        alpha_interval_s: 55e-6,
        increase_interval_s: 55e-6,
        increase_packets: 10e6 / 1500.0,
        fast_recoveries: 5,
        additive_increase_pps: packets_per_second(0.04),
        hyper_increase_pps: packets_per_second(0.4),
        min_pps: packets_per_second(0.01),
        line_pps: packets_per_second(gbps),
    }
}

#[test]
fn qrdma_holds_the_ratios_and_dcqcn_does_not() {
    let pacing = sigcomm15(100.0);
    let paced = |control| {
        with_each(qtcp(100.0, 25.0, &[3.0, 2.0, 1.0]), |_, class| {
            class.control = control;
            class.gain = 1.0 / 256.0;
        })
    };
    // Fast recovery undoes half of each cut, also of what Q added to it: Low comes out above its share.
    assert_near(&mean_gbps(paced(Control::Qrdma(pacing)), 5000, 50_000), &[50.0, 33.3, 16.7], 0.2);
    let found = mean_gbps(paced(Control::Dcqcn(pacing)), 5000, 50_000);
    assert!((found[0] / found[2] - 1.0).abs() < 0.02, "{found:?}");
}

#[test]
fn a_class_with_slack_in_its_latency_gives_way() {
    let parameters = with_each(qtcp(10.0, 100.0, &[1.0, 1.0]), |index, class| {
        class.objective = Objective::Latency { target_s: [60e-6, 2000e-6][index], request_packets: 0.0 };
    });
    let mut model = Model::new(parameters, Initial::Threshold);
    for _ in 0..2000 {
        model.step();
    }
    let [tight, loose] = model.classes() else { panic!("two classes") };
    assert!(tight.quality > 1.0 && loose.quality < 1.0, "{model:?}");
    assert!(tight.throughput_pps > 5.0 * loose.throughput_pps, "{model:?}");
}

#[test]
fn smoothing_and_rare_updates_slow_a_class_down_but_do_not_mislead_it() {
    let parameters = with_each(qtcp(10.0, 248.0, &[1.0, 2.0, 3.0]), |_, class| {
        class.smoothing = 0.5;
        class.update_interval_slots = 10;
    });
    assert_near(&mean_gbps(parameters, 1000, 6000), &[1.67, 3.33, 5.0], 0.05);
}

#[test]
fn without_marks_the_buffer_limits_the_windows() {
    let parameters = Parameters { marking: Marking::Off, buffer_packets: 500.0, ..qtcp(10.0, 100.0, &[1.0, 1.0]) };
    let mut model = Model::new(parameters, Initial::OnePacket);
    for _ in 0..3000 {
        model.step();
        assert!(model.queue_packets() <= 500.0);
    }
    assert!(model.dropped_packets() > 0.0);
    assert_near(&mean_gbps(model.parameters().clone(), 500, 3000), &[5.0, 5.0], 0.05);
}

#[test]
fn red_marks_between_nothing_and_everything() {
    let red =
        Parameters { marking: Marking::Red { maximum_packets: 400.0, probability: 0.1 }, ..qtcp(10.0, 248.0, &[1.0]) };
    assert_eq!(red.mark_probability(139.0), 0.0);
    let almost = 0.1 * 260.0 / 2.0 / 400.0;
    assert!((red.mark_probability(400.0) - almost).abs() < 1e-12);
    assert!((red.mark_probability(1e9) - 1.0).abs() < 1e-6);
}

#[test]
fn parameters_change_while_the_model_runs() {
    let mut model = Model::new(qtcp(10.0, 248.0, &[1.0, 2.0, 3.0]), Initial::Threshold);
    let settle = |model: &mut Model| {
        for _ in 0..400 {
            model.step();
        }
        model.classes().iter().map(|state| state.throughput_pps / packets_per_second(10.0)).collect::<Vec<f64>>()
    };
    assert_near(&settle(&mut model), &[1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0], 0.1);
    let present = model.parameters().clone();
    model.set_parameters(with_each(present.clone(), |index, class| {
        if index == 2 {
            class.load = Load::Idle
        }
    }));
    assert_near(&settle(&mut model)[..2], &[1.0 / 3.0, 2.0 / 3.0], 0.1);
    assert_eq!(model.classes()[2].throughput_pps, 0.0);
    model.set_parameters(present);
    assert_near(&settle(&mut model), &[1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0], 0.1);
}

#[test]
fn a_class_grows_as_one_however_many_connections_it_has() {
    let windows = |connections: f64| {
        let parameters = with_each(qtcp(10.0, 248.0, &[2.0, 1.0]), |_, class| class.connections = connections);
        let mut model = Model::new(parameters, Initial::Threshold);
        let step = |_| {
            model.step();
            model.classes().iter().map(|state| state.window_packets).collect::<Vec<f64>>()
        };
        (0..500).map(step).collect::<Vec<_>>()
    };
    assert_eq!(windows(1.0), windows(5.0));
}

#[test]
fn in_a_common_slot_unequal_round_trips_no_longer_favour_the_short() {
    let shares = |growth| {
        let unequal = with_each(qtcp(10.0, 350.0, &[1.0, 2.0, 3.0]), |index, class| {
            class.baseline_s = if index == 2 { 900e-6 } else { 175e-6 };
        });
        mean_gbps(Parameters { growth, ..unequal }, 20_000, 60_000)
    };
    let targets = [10.0 / 6.0, 20.0 / 6.0, 5.0];
    let worst = |growth| {
        let distance = |(found, wanted): (f64, f64)| (found / wanted - 1.0).abs();
        shares(growth).into_iter().zip(targets).map(distance).fold(0.0, f64::max)
    };
    let (own, common) = (worst(GrowthSlot::OwnRtt), worst(GrowthSlot::LongestRtt));
    assert!(common < own / 2.0 && common < 0.03, "{own} {common}");
}

#[test]
fn a_window_held_in_deficit_brings_the_classes_to_their_shares_sooner() {
    let slots = |deficit| {
        let parameters = Parameters { deficit, ..qtcp(100.0, 62.0, &[3.0, 2.0, 1.0]) };
        slots_to_converge(parameters).into_iter().max().unwrap()
    };
    assert!(slots(DeficitRule::Hold) < slots(DeficitRule::Cut));
}

fn any_class() -> impl Strategy<Value = Class> {
    let pacing = sigcomm15(10.0);
    let control = prop_oneof![
        Just(Control::Qtcp),
        Just(Control::Dctcp),
        Just(Control::Qrdma(pacing)),
        Just(Control::Dcqcn(pacing))
    ];
    let objective = prop_oneof![
        (0.1..10.0).prop_map(|ratio| Objective::Throughput { ratio }),
        ((1e-5..1e-2), prop_oneof![Just(0.0), 1.0..1000.0])
            .prop_map(|(target_s, request_packets)| Objective::Latency { target_s, request_packets }),
    ];
    let load = prop_oneof![Just(Load::Idle), Just(Load::Backlogged), (0.0..1e7).prop_map(|pps| Load::Open { pps })];
    (control, objective, load, 1e-6..1e-3, 0.001..1.0, 1.0..64.0, 0.0..0.99, 1_u32..20).prop_map(
        |(control, objective, load, baseline_s, gain, connections, smoothing, update_interval_slots)| Class {
            control,
            objective,
            load,
            gain,
            connections,
            smoothing,
            update_interval_slots,
            ..Class::qtcp(1.0, baseline_s)
        },
    )
}

fn any_parameters() -> impl Strategy<Value = Parameters> {
    let marking = prop_oneof![
        Just(Marking::Step),
        Just(Marking::Off),
        Just(Marking::Red { maximum_packets: 400.0, probability: 0.3 })
    ];
    let cut = prop_oneof![Just(CutRule::MarkSeen), (1e-5..1e-1).prop_map(CutRule::AlphaAbove)];
    let drain = prop_oneof![Just(Drain::Fifo), Just(Drain::Published)];
    let deficit = prop_oneof![Just(DeficitRule::Cut), Just(DeficitRule::Hold)];
    let growth = prop_oneof![Just(GrowthSlot::OwnRtt), Just(GrowthSlot::LongestRtt)];
    let rules = (marking, cut, drain, deficit, growth);
    (1e4..3e7, 1.0..300.0, rules, prop::collection::vec(any_class(), 1..6)).prop_map(
        |(capacity_pps, threshold, (marking, cut, drain, deficit, growth), classes)| Parameters {
            marking,
            cut,
            drain,
            deficit,
            growth,
            buffer_packets: 4000.0,
            ..Parameters::new(capacity_pps, threshold, classes)
        },
    )
}

proptest! {
    /// Packets wait, leave or are lost, and nothing else; a FIFO never carries more than the link, nor idles with a queue.
    #[test]
    fn packets_are_conserved(parameters in any_parameters(), later in any_parameters()) {
        let mut model = Model::new(parameters, Initial::Threshold);
        let mut in_flow: f64 = model.queue_packets() + model.classes().iter().map(|state| state.untransmitted_packets).sum::<f64>();
        let mut out_flow = 0.0;
        for slot in 0..300 {
            if slot == 150 && later.classes.len() == model.classes().len() {
                model.set_parameters(later.clone());
            }
            let loads: Vec<Load> = model.parameters().classes.iter().map(|class| class.load).collect();
            let mut arrived = 0.0;
            model.step_with_arrivals(|class, seconds| {
                let packets = loads[class].rate_pps() * seconds;
                arrived += packets;
                Some(packets)
            });
            let length = model.end_s() - model.start_s();
            in_flow += arrived;
            for (state, load) in model.classes().iter().zip(&loads) {
                prop_assert!(state.queue_packets >= 0.0 && state.untransmitted_packets >= -1e-6 && state.window_packets >= 0.0);
                prop_assert!((0.0..=1.0).contains(&state.alpha) && state.throughput_pps >= 0.0, "{:?}", state);
                out_flow += state.throughput_pps * length;
                if *load == Load::Backlogged {
                    in_flow += state.window_packets * length / state.rtt_s;
                }
            }
            prop_assert!(length > 0.0 && length.is_finite());
            if model.parameters().drain == Drain::Fifo {
                let carried: f64 = model.classes().iter().map(|state| state.throughput_pps).sum();
                let capacity = model.parameters().capacity_pps;
                prop_assert!(carried <= capacity * (1.0 + 1e-9));
                prop_assert!(model.queue_packets() == 0.0 || carried >= capacity * (1.0 - 1e-9));
            }
        }
        let held = model.queue_packets() + model.classes().iter().map(|state| state.untransmitted_packets).sum::<f64>();
        let balance = in_flow - out_flow - held - model.dropped_packets();
        prop_assert!(balance.abs() <= 1e-6 * in_flow.max(1.0), "{in_flow} in, {out_flow} out, {held} held: {balance}");
    }
}

#[test]
fn a_million_class_slots_take_little_time() {
    // Measured natively: about 10 ms. The limit only catches a blunder.
    let mut model = Model::new(qtcp(100.0, 25.0, &[3.0, 2.0, 1.0]), Initial::Threshold);
    for _ in 0..333_334 {
        model.step();
    }
    assert!(model.slot() == 333_333 && model.queue_packets() > 0.0);
}
