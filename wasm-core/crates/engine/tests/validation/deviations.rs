//! Rows that are not reproduced, by cause. Each cause is a section of `docs/validation.md`.
//!
//! What ours is known to be is held here, so that a change is noticed in either direction; a row that comes to lie in its
//! band fails as well, so that no explanation outlives its reason.

/// A row that is not reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Deviation {
    /// The heading of the section of the document that explains it.
    pub cause: &'static str,
    /// The row's case and quantity.
    pub case: &'static str,
    /// See `case`.
    pub quantity: &'static str,
    /// What ours is known to be.
    pub ours: f64,
    /// How far from that ours may come to lie unnoticed.
    pub within: f64,
}

/// A row: its case, its quantity, what ours is known to be, and within what.
type Known = (&'static str, &'static str, f64, f64);

const CAUSES: &[(&str, &[Known])] = &[
    (
        "Quality factors of a full link",
        &[
            ("paper1-fig9a", "greatest mean Q of the classes", 1.017, 0.031),
            ("paper1-fig9b", "greatest mean Q of the classes", 1.009, 0.03),
            ("paper1-fig9c", "greatest mean Q of the classes", 1.011, 0.03),
        ],
    ),
    (
        "Convergence after slow start",
        &[
            ("paper1-fig9a", "slots until all have converged", 136.0, 10.0),
            ("paper1-fig9b", "slots until all have converged", 238.0, 15.0),
            ("paper1-fig9c", "slots until all have converged", 359.0, 11.0),
            ("paper1-fig9a", "High: slots until it has converged", 136.0, 10.0),
            ("paper1-fig9a", "slots that Low takes longer than High", -106.0, 9.0),
            ("paper2-fig3", "slots until all have converged, in the simulation", 128.0, 27.0),
        ],
    ),
    (
        "Growth by single packets",
        &[
            ("paper1-fig9a", "slots until all have converged, from an even split", 74.0, 11.0),
            ("paper1-fig9b", "slots until all have converged, from an even split", 104.0, 8.0),
            ("paper1-fig9b", "slots until all have converged, in the model", 92.0, 2.8),
            ("paper1-fig9c", "slots until all have converged, from an even split", 157.0, 12.0),
            ("paper1-fig9c", "slots until all have converged, in the model", 133.0, 4.0),
        ],
    ),
    ("Even shares of DCTCP", &[("paper1-fig10", "ms by which QTCP converges sooner than DCTCP", 90.0, 8.0)]),
    (
        "A flow that is blind to shares",
        &[
            ("paper1-fig19c", "QRDMA 3: carried over its share", 0.721, 0.034),
            ("paper1-fig19c", "DCTCP: carried over its share", 1.676, 0.056),
            ("paper1-fig19c", "QRDMA 3: carried over its share, offering 100 Gb/s in all", 0.87, 0.026),
            ("paper1-fig19c", "QRDMA 1.5: carried over its share, offering 100 Gb/s in all", 1.113, 0.033),
            ("paper1-fig19c", "DCTCP: carried over its share, offering 100 Gb/s in all", 1.099, 0.033),
        ],
    ),
    (
        "Deadlines on a busy link",
        &[
            ("paper1-fig15b-normal-dctcp", "High: missed, %", 40.5, 6.5),
            ("paper1-fig15b-normal-dctcp", "Medium: missed, %", 26.6, 4.2),
            ("paper1-fig15b-normal-dctcp", "Low: missed, %", 18.5, 3.6),
            ("paper1-fig15b-normal-d2tcp", "High: missed, %", 36.8, 6.1),
            ("paper1-fig15b-normal-d2tcp", "Medium: missed, %", 23.3, 4.0),
            ("paper1-fig15b-normal-d2tcp", "Low: missed, %", 21.6, 3.7),
            ("paper1-fig15b-normal-qtcp", "High: missed, %", 12.3, 3.1),
            ("paper1-fig15b-normal-qtcp", "Medium: missed, %", 9.9, 1.4),
            ("paper1-fig15b-normal-qtcp", "Low: missed, %", 9.8, 1.3),
            ("paper1-fig15b-stressed-dctcp", "Medium: missed, %", 33.3, 4.0),
            ("paper1-fig15b-stressed-dctcp", "Low: missed, %", 19.6, 3.6),
            ("paper1-fig15b-stressed-qtcp", "High: missed, %", 22.5, 3.5),
            ("paper1-fig15b-stressed-qtcp", "Medium: missed, %", 17.7, 2.5),
            ("paper1-fig15b-stressed-qtcp", "Low: missed, %", 11.5, 1.9),
            ("paper1-fig15b-stressed-d2tcp", "High: missed, %", 39.0, 3.9),
            ("paper1-fig15b-stressed", "three classes: QTCP misses fewer than DCTCP by, %", 45.5, 3.4),
            ("paper1-fig18a", "High: QRDMA misses fewer than DCQCN by, %", 21.1, 3.1),
            ("paper1-fig18a", "Medium: QRDMA misses fewer than DCQCN by, %", 23.6, 3.0),
            ("paper1-fig18a", "Low: QRDMA misses fewer than DCQCN by, %", 33.0, 5.3),
            ("paper2-fig10a-dctcp", "High: missed, %", 36.1, 6.3),
            ("paper2-fig10a-dctcp", "Medium: missed, %", 22.0, 3.8),
            ("paper2-fig10a-dctcp", "Low: missed, %", 19.3, 3.8),
            ("paper2-fig10a-d2tcp", "High: missed, %", 30.8, 6.2),
            ("paper2-fig10a-d2tcp", "Medium: missed, %", 19.9, 3.6),
            ("paper2-fig10a-d2tcp", "Low: missed, %", 22.1, 3.7),
            ("paper2-fig10a-qtcp", "High: missed, %", 9.6, 2.7),
            ("paper2-fig10a-qtcp", "Medium: missed, %", 8.7, 1.6),
            ("paper2-fig10a-qtcp", "Low: missed, %", 10.2, 1.4),
            ("paper2-fig10b-dctcp", "Medium: missed, %", 28.3, 3.6),
            ("paper2-fig10b-dctcp", "Low: missed, %", 20.6, 3.7),
            ("paper2-fig10b-qtcp", "High: missed, %", 20.6, 3.3),
            ("paper2-fig10b-qtcp", "Medium: missed, %", 15.2, 2.2),
            ("paper2-fig10b-qtcp", "Low: missed, %", 11.6, 2.0),
        ],
    ),
    (
        "One transfer at a time",
        &[
            ("paper1-fig15b-closed-normal-dctcp", "High: missed, %", 11.7, 2.9),
            ("paper1-fig15b-closed-normal-dctcp", "Medium: missed, %", 1.0, 0.5),
            ("paper1-fig15b-closed-normal-dctcp", "Low: missed, %", 0.0, 0.1),
            ("paper1-fig15b-closed-normal-d2tcp", "High: missed, %", 9.6, 2.2),
            ("paper1-fig15b-closed-normal-d2tcp", "Medium: missed, %", 1.3, 0.5),
            ("paper1-fig15b-closed-normal-qtcp", "High: missed, %", 2.2, 1.0),
            ("paper1-fig15b-closed-normal-qtcp", "Medium: missed, %", 1.3, 0.6),
            ("paper1-fig15b-closed-normal", "High: misses of DCTCP less those of D2TCP, points", 2.1, 3.2),
            ("paper1-fig15b-closed-stressed-dctcp", "Low: missed, %", 7.0, 0.9),
            ("paper1-fig15b-closed-stressed-qtcp", "High: missed, %", 24.3, 1.3),
            ("paper1-fig15b-closed-stressed-qtcp", "Medium: missed, %", 8.7, 1.1),
            ("paper1-fig15b-closed-stressed-qtcp", "Low: missed, %", 3.9, 0.7),
            ("paper1-fig15b-closed-stressed-d2tcp", "High: missed, %", 44.8, 1.9),
            ("paper1-fig15b-closed-stressed", "three classes: QTCP misses fewer than DCTCP by, %", 60.2, 2.3),
            ("paper1-fig18a-closed", "High: QRDMA misses fewer than DCQCN by, %", 20.5, 2.3),
            ("paper1-fig18a-closed", "Medium: QRDMA misses fewer than DCQCN by, %", 28.5, 3.0),
            ("paper2-fig10a-closed-dctcp", "High: missed, %", 7.4, 2.3),
            ("paper2-fig10a-closed-dctcp", "Medium: missed, %", 0.3, 0.3),
            ("paper2-fig10a-closed-dctcp", "Low: missed, %", 0.0, 0.1),
            ("paper2-fig10a-closed-d2tcp", "High: missed, %", 5.6, 2.0),
            ("paper2-fig10a-closed-qtcp", "High: missed, %", 2.8, 1.0),
            ("paper2-fig10a-closed", "High: misses of DCTCP less those of D2TCP, points", 1.8, 3.0),
            ("paper2-fig10b-closed-dctcp", "Medium: missed, %", 23.2, 2.0),
            ("paper2-fig10b-closed-dctcp", "Low: missed, %", 8.2, 1.0),
            ("paper2-fig10b-closed-qtcp", "High: missed, %", 16.0, 1.7),
            ("paper2-fig10b-closed-qtcp", "Medium: missed, %", 5.2, 0.7),
            ("paper2-fig10b-closed-qtcp", "Low: missed, %", 3.9, 0.6),
        ],
    ),
    (
        "Waits without priority",
        &[
            ("paper1-fig20-read-nopriority", "PM: latency at 50 %, us", 16.5, 0.49),
            ("paper1-fig20-read-nopriority", "PM: latency at 90 %, us", 18.6, 0.56),
            ("paper1-fig20-write-nopriority", "PM: latency at 50 %, us", 16.3, 0.49),
            ("paper1-fig20-write-nopriority", "PM: latency at 90 %, us", 18.6, 0.56),
            ("paper1-fig20-write-nopriority", "PM: latency at 99 %, us", 22.7, 1.6),
            ("paper1-fig20-write-priority", "High: less than without PM by, Gb/s", 1.65, 0.29),
            ("paper1-fig23-nopriority", "PM: latency at 99 %, us", 19.2, 0.58),
            ("paper1-fig20-read-nopriority", "PM: latency at 99 %, us", 22.2, 1.3),
        ],
    ),
    (
        "Payload and packets",
        &[
            ("paper1-fig22a-pm10", "Low: carried over its share", 1.046, 0.031),
            ("paper1-fig22a-pm15", "Low: carried over its share", 1.06, 0.032),
            ("paper1-fig22b", "Low: carried over its share", 1.061, 0.032),
        ],
    ),
    (
        "The queue at the start of the model",
        &[("paper2-fig3", "slots until all have converged, in the model from a queue of K", 45.0, 1.3)],
    ),
    (
        "A large gain",
        &[
            ("paper2-fig5-gain0.25", "mean Q furthest from 1 in the simulation", 0.922, 0.028),
            ("paper2-fig5-gain0.5", "mean Q furthest from 1 in the simulation", 0.925, 0.036),
            ("paper2-fig5", "ms until all have converged, γ of 1/4 against 1/8: change", -6.3, 3.0),
            ("paper2-fig5", "ms until all have converged, γ of 1/2 against 1/4: change", -26.1, 9.0),
        ],
    ),
    (
        "Unequal round trips",
        &[
            ("paper2-fig8-qtcp", "High: carried over its share", 0.824, 0.025),
            ("paper2-fig8-qtcp", "Medium: carried over its share", 1.156, 0.035),
            ("paper2-fig8-qtcp", "Low: carried over its share", 1.217, 0.037),
            ("paper2-fig8-dctcp", "total, Gb/s", 9.34, 0.28),
            ("paper2-fig12-interval10", "High: carried over its share", 0.826, 0.025),
            ("paper2-fig12-interval10", "Medium: carried over its share", 1.117, 0.034),
            ("paper2-fig12-interval10", "Low: carried over its share", 1.287, 0.039),
            ("paper2-fig12-interval50", "High: carried over its share", 0.81, 0.024),
            ("paper2-fig12-interval50", "Medium: carried over its share", 1.137, 0.034),
            ("paper2-fig12-interval50", "Low: carried over its share", 1.296, 0.039),
        ],
    ),
    (
        "Pauses and victims",
        &[
            ("paper3-fig5a", "pauses: change by DIRS, %", -50.4, 12.0),
            ("paper3-fig5a", "throughput of victims: change by DIRS, %", 16.4, 4.5),
            ("paper3-fig5a", "throughput of victims of 30 KB: DIRS over plain", 1.15, 0.05),
            ("paper3-fig5a", "plain DCQCN: notifications that come too late, %", 47.5, 3.5),
            ("paper3-fig5b", "throughput of victims: change by DIRS, %", 19.7, 9.0),
        ],
    ),
    (
        "Phases of packets",
        &[
            ("A1_dumbbell10g_K140_rtt200", "flow 1, Gb/s", 3.0, 0.09),
            ("A1_dumbbell10g_K140_rtt200", "flow 2, Gb/s", 3.47, 0.14),
            ("A1_dumbbell10g_K140_rtt200_delack1", "flow 1, Gb/s", 3.08, 0.092),
            ("A1_dumbbell10g_K140_rtt200_delack1", "flow 3, Gb/s", 3.32, 0.1),
            ("A2_100g_rtt25_K140_concurrent_90_60_30", "flow 1, Gb/s", 31.71, 1.3),
            ("A2_100g_rtt25_K140_concurrent_90_60_30", "flow 2, Gb/s", 33.68, 1.0),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "flow 1, Gb/s", 46.15, 1.4),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "flow 3, Gb/s", 24.21, 0.81),
            ("A3_rttbias_K140", "flow of 1800 us: Gb/s", 0.87, 0.026),
            ("A3_rttbias_K140", "flow of 1800 us: α", 0.0266, 0.0008),
            ("A3_rttbias_K140", "flow of 1800 us: window, packets", 148.9, 4.5),
            ("A3_rttbias_K140", "flow of 1800 us, its link 0.3 us longer: Gb/s", 0.27, 0.01),
            ("A1_dumbbell10g_K140_rtt200", "flow 3, Gb/s", 3.15, 0.11),
            ("A2_100g_rtt25_K140_concurrent_90_60_30", "α", 0.09, 0.0051),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "flow 2, Gb/s", 26.64, 0.8),
        ],
    ),
    (
        "A queue still filling",
        &[
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "mean queue, packets", 109.0, 3.3),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "marked fraction", 0.0556, 0.0022),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "α", 0.049, 0.002),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "mean queue, packets, from 9 ms on", 103.3, 3.1),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "marked fraction, from 9 ms on", 0.0525, 0.0018),
            ("A2_100g_rtt98_K140_concurrent_90_60_30", "α, from 9 ms on", 0.0461, 0.0019),
        ],
    ),
    (
        "Acknowledgements behind data",
        &[
            ("A4fixed_perm16_dmodk_K140_delack1", "total, Gb/s", 1209.0, 36.0),
            ("A4fixed_perm16_dmodk_K140_delack1", "flows 14-8, 6-7 and 12-15: mean, Gb/s", 93.1, 2.8),
            ("A4fixed_perm16_dmodk_K140_delack1", "total, Gb/s, acknowledgements in order", 1208.9, 36.0),
            (
                "A4fixed_perm16_dmodk_K140_delack1",
                "flows 14-8, 6-7 and 12-15: mean, Gb/s, acknowledgements in order",
                93.1,
                2.8,
            ),
            ("A4fixed_perm16_dmodk_K140_delack1", "total, Gb/s, in order behind a send buffer", 1193.7, 36.0),
        ],
    ),
    ("Marks of an incast", &[("A5_incast10_256k_rtt100_K20_buf40_drops", "marked fraction", 0.1929, 0.0058)]),
    (
        "An idle link",
        &[
            ("dcqcn_mlx_16to1_100g_buf2M", "mean completion, ms", 20.89, 0.63),
            ("dcqcn_mlx_2to1_100g", "total, Gb/s", 93.79, 2.8),
        ],
    ),
];

/// All of them.
pub fn all() -> impl Iterator<Item = Deviation> {
    CAUSES.iter().flat_map(|&(cause, rows)| {
        rows.iter().map(move |&(case, quantity, ours, within)| Deviation { cause, case, quantity, ours, within })
    })
}

/// The one of a row, if it is not reproduced.
pub fn of(case: &str, quantity: &str) -> Option<Deviation> {
    all().find(|deviation| deviation.case == case && deviation.quantity == quantity)
}

/// Where the section of a cause stands in the document.
pub fn anchor(cause: &str) -> String {
    cause.to_lowercase().replace(' ', "-")
}
