//! Published distributions of transfer sizes: pairs of bytes and the per cent of transfers not larger, joined by straight
//! lines.

/// Web search: M. Alizadeh et al., "Data center TCP", SIGCOMM 2010, as tabulated by the simulator of HPCC. Mean 1.71 MB.
pub const WEB_SEARCH: &[(f64, f64)] = &[
    (0.0, 0.0),
    (1e4, 15.0),
    (2e4, 20.0),
    (3e4, 30.0),
    (5e4, 40.0),
    (8e4, 53.0),
    (2e5, 60.0),
    (1e6, 70.0),
    (2e6, 80.0),
    (5e6, 90.0),
    (1e7, 97.0),
    (3e7, 100.0),
];

/// Data mining: A. Greenberg et al., "VL2", SIGCOMM 2009, as tabulated by a public traffic generator. Mean 12.66 MB.
pub const DATA_MINING: &[(f64, f64)] = &[
    (0.0, 0.0),
    (180.0, 10.0),
    (216.0, 20.0),
    (560.0, 30.0),
    (900.0, 40.0),
    (1100.0, 50.0),
    (1870.0, 60.0),
    (3160.0, 70.0),
    (1e4, 80.0),
    (4e5, 90.0),
    (3.16e6, 95.0),
    (1e8, 98.0),
    (1e9, 100.0),
];

/// Storage traffic of Alibaba, 2019: Y. Li et al., "HPCC", SIGCOMM 2019, from its simulator. Mean 40.9 KB.
pub const ALI_STORAGE_2019: &[(f64, f64)] = &[
    (0.0, 0.0),
    (4e3, 22.93),
    (8e3, 69.21),
    (1.6e4, 80.61),
    (3.2e4, 90.47),
    (6.4e4, 93.53),
    (1.28e5, 96.77),
    (2.56e5, 97.53),
    (2e6, 100.0),
];

/// Hadoop cluster of Facebook: A. Roy et al., "Inside the social network's (datacenter) network", SIGCOMM 2015, as
/// tabulated by the simulator of HPCC. Mean 120 KB.
pub const FB_HADOOP: &[(f64, f64)] = &[
    (100.0, 1.0),
    (200.0, 2.0),
    (300.0, 5.0),
    (350.0, 15.0),
    (400.0, 20.0),
    (500.0, 30.0),
    (600.0, 40.0),
    (700.0, 50.0),
    (1e3, 60.0),
    (2e3, 67.0),
    (7e3, 70.0),
    (3e4, 72.0),
    (5e4, 82.0),
    (8e4, 87.0),
    (1.2e5, 90.0),
    (3e5, 95.0),
    (1e6, 97.5),
    (2e6, 99.0),
    (1e7, 100.0),
];

/// Made after the two figures that paper 3 (section II.B) gives of the Tencent trace: 51 % of transfers below 124 KB, 89 %
/// below 457 KB. The points between are on straight lines over the logarithm of the size, from 4 KB to 2 MB. Mean 224 KB.
pub const TENCENT_LIKE: &[(f64, f64)] = &[
    (4e3, 0.0),
    (8e3, 10.29),
    (1.6e4, 20.59),
    (3.2e4, 30.88),
    (6.4e4, 41.18),
    (1.24e5, 51.0),
    (1.72e5, 60.53),
    (2.38e5, 70.0),
    (3.3e5, 79.5),
    (4.57e5, 89.0),
    (6.6e5, 91.74),
    (9.56e5, 94.5),
    (1.38e6, 97.23),
    (2e6, 100.0),
];
