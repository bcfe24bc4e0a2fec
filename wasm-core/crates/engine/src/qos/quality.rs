//! The quality factor of a class and its convergence.
//!
//! Q_i is target throughput over achieved throughput (paper 1 eq. 1; paper 2 prints the inverse, see `docs/models.md`):
//! above 1 the class gets too little, below 1 it has slack. The achieved throughput is smoothed, λ' = (1 − γ)λ + γλ'.

/// The quality factor a controller sees, and how often it has been updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Q_i; 1 while nothing is known.
    pub factor: f64,
    /// Number of the update that gave this value.
    pub update: u32,
}

/// Measures the throughput of a class from update to update and derives its quality factor.
#[derive(Clone, Debug)]
pub struct QualityMeter {
    smoothing: f64,
    quality: Quality,
    /// λ', in bytes per picosecond; none before the first measurement.
    achieved: Option<f64>,
    bytes_at_update: u64,
    updated_ps: u64,
}

impl QualityMeter {
    /// A meter that knows nothing. `smoothing` is γ, the weight of the past.
    pub fn new(smoothing: f64) -> Self {
        let quality = Quality { factor: 1.0, update: 0 };
        Self { smoothing, quality, achieved: None, bytes_at_update: 0, updated_ps: 0 }
    }

    /// Changes γ.
    pub fn set_smoothing(&mut self, smoothing: f64) {
        self.smoothing = smoothing;
    }

    /// The latest quality factor.
    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// Whether a throughput has been measured, so that [`Self::quality`] means something.
    pub fn has_measured(&self) -> bool {
        self.achieved.is_some()
    }

    /// Takes in that the class has carried `bytes` in all up to `now_ps`, where it should get `target_bps`.
    pub fn update(&mut self, now_ps: u64, bytes: u64, target_bps: f64) {
        let elapsed_ps = now_ps - self.updated_ps;
        if elapsed_ps == 0 {
            return;
        }
        let latest = (bytes - self.bytes_at_update) as f64 / elapsed_ps as f64;
        let achieved = self.achieved.map_or(latest, |past| (1.0 - self.smoothing) * latest + self.smoothing * past);
        self.achieved = Some(achieved);
        self.bytes_at_update = bytes;
        self.updated_ps = now_ps;
        let target = target_bps / 8e12;
        let factor = if achieved > 0.0 { target / achieved } else { FACTOR_OF_NOTHING };
        self.quality = Quality { factor, update: self.quality.update.wrapping_add(1) };
    }

    /// Forgets the past: the class has been silent, or is about to begin.
    pub fn restart(&mut self, now_ps: u64, bytes: u64) {
        self.achieved = None;
        self.bytes_at_update = bytes;
        self.updated_ps = now_ps;
        self.quality = Quality { factor: 1.0, update: self.quality.update.wrapping_add(1) };
    }
}

/// Q of a class that wants its share and carries nothing at all.
const FACTOR_OF_NOTHING: f64 = 1e3;

/// Watches for the moment a quality factor has come to stay near 1.
#[derive(Clone, Debug)]
pub struct Convergence {
    band: f64,
    /// Round trips Q has to stay in the band.
    rtts: f64,
    /// Since when Q has been in the band, and for how many round trips.
    inside: Option<(u64, f64)>,
    first_ps: Option<u64>,
    current_ps: Option<u64>,
}

impl Convergence {
    /// Watches for `rtts` round trips within `band` of 1.
    pub fn new(band: f64, rtts: u32) -> Self {
        Self { band, rtts: f64::from(rtts), inside: None, first_ps: None, current_ps: None }
    }

    /// Takes in an update of Q that covered `rtts` round trips ending at `now_ps`.
    pub fn update(&mut self, now_ps: u64, factor: f64, rtts: f64) {
        if (factor - 1.0).abs() > self.band {
            self.leave();
            return;
        }
        let (since_ps, stayed) = self.inside.unwrap_or((now_ps, -rtts));
        let stayed = stayed + rtts;
        self.inside = Some((since_ps, stayed));
        if stayed >= self.rtts && self.current_ps.is_none() {
            self.current_ps = Some(since_ps);
            self.first_ps.get_or_insert(since_ps);
        }
    }

    /// Q has left the band, or means nothing any more.
    pub fn leave(&mut self) {
        self.inside = None;
        self.current_ps = None;
    }

    /// When Q first entered the band to stay, in the whole run.
    pub fn first_ps(&self) -> Option<u64> {
        self.first_ps
    }

    /// When Q entered the band for the stay that still lasts.
    pub fn current_ps(&self) -> Option<u64> {
        self.current_ps
    }
}

/// Shares of a capacity in proportion to ratios; classes that are not active get none.
pub fn shares<'a>(
    capacity: f64,
    ratios: impl Iterator<Item = (f64, bool)> + Clone + 'a,
) -> impl Iterator<Item = f64> + 'a {
    let total: f64 = ratios.clone().filter(|&(_, active)| active).map(|(ratio, _)| ratio).sum();
    ratios.map(move |(ratio, active)| if active { capacity * ratio / total } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    #[test]
    fn the_factor_is_target_over_smoothed_achieved() {
        let mut meter = QualityMeter::new(0.5);
        // 12 500 bytes in 1 us are 100 Gb/s.
        meter.update(US, 12_500, 50e9);
        assert_eq!(meter.quality().factor, 0.5);
        meter.update(2 * US, 12_500, 50e9);
        assert_eq!(meter.quality().factor, 1.0);
        assert_eq!(meter.quality().update, 2);
    }

    #[test]
    fn nothing_carried_is_a_large_deficit_not_a_division_by_zero() {
        let mut meter = QualityMeter::new(0.0);
        meter.update(US, 0, 50e9);
        assert_eq!(meter.quality().factor, FACTOR_OF_NOTHING);
    }

    #[test]
    fn converges_when_it_has_stayed_and_unconverges_when_it_leaves() {
        let mut convergence = Convergence::new(0.05, 3);
        for (n, factor) in [1.2, 1.04, 0.97, 1.0, 1.0, 1.3, 1.0].into_iter().enumerate() {
            convergence.update(n as u64, factor, 1.0);
            let expected = if n == 4 { Some(1) } else { None };
            assert_eq!(convergence.current_ps(), expected, "update {n}");
        }
        assert_eq!(convergence.first_ps(), Some(1));
    }

    #[test]
    fn shares_follow_the_ratios_of_the_active() {
        let ratios = [(3.0, true), (2.0, false), (1.0, true)];
        assert_eq!(shares(100.0, ratios.into_iter()).collect::<Vec<_>>(), [75.0, 0.0, 25.0]);
    }
}
