//! Rates as fio takes them.

/// The load of one clone.
pub(super) struct Rate {
    /// Offered.
    pub(super) gbps: f64,
    /// Of a request.
    pub(super) mean_bytes: f64,
    /// The part of the requests that read.
    pub(super) reads: f64,
}

impl Rate {
    /// Requests a second.
    pub(super) fn iops(&self) -> f64 {
        self.gbps * 1e9 / 8.0 / self.mean_bytes
    }

    /// Whether whole numbers of requests a second come within a hundredth of it, reads and writes each.
    pub(super) fn is_whole_enough(&self) -> bool {
        let is_close = |iops: f64| iops == 0.0 || (libm::round(iops) / iops - 1.0).abs() < 0.01;
        is_close(self.iops() * self.reads) && is_close(self.iops() * (1.0 - self.reads))
    }

    /// The option that counts requests.
    pub(super) fn requests(&self) -> String {
        self.written("rate_iops", self.iops())
    }

    /// The option that counts bytes.
    pub(super) fn bytes(&self) -> String {
        self.written("rate", self.gbps * 1e9 / 8.0)
    }

    /// Of reads and of writes; of one kind alone where there is but one.
    fn written(&self, option: &str, both: f64) -> String {
        let (reads, writes) = (libm::round(both * self.reads), libm::round(both * (1.0 - self.reads)));
        if self.reads > 0.0 && self.reads < 1.0 {
            format!("{option}={},{}", reads.max(1.0), writes.max(1.0))
        } else {
            format!("{option}={}", (reads + writes).max(1.0))
        }
    }
}
