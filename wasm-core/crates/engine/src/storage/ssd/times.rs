//! Times that follow from rates: transfers on a channel, accesses to DRAM.

use crate::kernel::convert::{rounded, whole};
use crate::storage::link::Timing;
use crate::storage::ssd::parameters::{DramParameters, FlashTimes};

const PS_PER_NS: u64 = 1000;
const NS_PER_US: f64 = 1000.0;

/// Time per byte on a channel, in picoseconds for 2^20 bytes, so that whole and broken times per byte are exact enough.
pub(super) fn channel_ps_per_mib(flash: &FlashTimes) -> u64 {
    let rate = flash.channel_mt_per_s.max(1e-3);
    let width = u64::from(flash.channel_width_bytes.max(1));
    match flash.timing {
        Timing::Exact => rounded(NS_PER_US / rate * PS_PER_NS as f64 * (1u64 << 20) as f64 / width as f64),
        // MQSim counts two transfers as twice the whole nanoseconds of one.
        Timing::Truncated => ((whole(NS_PER_US / rate) * PS_PER_NS) << 20) / width,
    }
}

/// Time of a transfer at a rate of [`channel_ps_per_mib`].
#[inline]
pub(super) fn transfer_ps(bytes: u32, ps_per_mib: u64) -> u64 {
    (u64::from(bytes) * ps_per_mib) >> 20
}

/// Time of an access to DRAM.
pub(super) fn dram_ps(dram: &DramParameters, bytes: u32) -> u64 {
    let row = u64::from(dram.row_bytes.max(1));
    let width = u64::from(dram.width_bytes.max(1));
    let bytes = u64::from(bytes);
    let per_transfer_ns = NS_PER_US / dram.mt_per_s.max(1e-3);
    let open_ps = dram.row_to_column_ps + dram.column_ps;
    match dram.timing {
        Timing::Exact => {
            let rows = bytes.div_ceil(row).max(1);
            let data_ps = rounded(bytes as f64 / width as f64 * per_transfer_ns * PS_PER_NS as f64);
            rows * open_ps + (rows - 1) * dram.precharge_ps + data_ps
        }
        // As MQSim has it: two transfers in the time of one, half of the rows, and of the rest too little.
        Timing::Truncated => {
            let burst_ps = |bytes: u64| whole((bytes / width / 2) as f64 * per_transfer_ns) * PS_PER_NS;
            if bytes <= row {
                open_ps + burst_ps(bytes)
            } else {
                let rest_ns = (bytes % row) as f64 / (width as f64 * per_transfer_ns);
                (open_ps + burst_ps(row) + dram.precharge_ps) * (bytes / row / 2) + open_ps + whole(rest_ns) * PS_PER_NS
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::ssd::parameters::SsdParameters;
    use crate::storage::ssd::presets::Preset;

    #[test]
    fn channel_times_are_cut_as_mqsim_cuts_them() {
        let flash = SsdParameters::preset(Preset::Mqsim).flash;
        for (rate, ns_per_byte) in [(200.0, 5), (333.0, 3), (500.0, 2), (533.0, 1), (1000.0, 1), (1200.0, 0)] {
            let flash = FlashTimes { channel_mt_per_s: rate, ..flash.clone() };
            assert_eq!(transfer_ps(4096, channel_ps_per_mib(&flash)), 4096 * ns_per_byte * 1000, "{rate}");
        }
        let exact = FlashTimes { channel_mt_per_s: 1200.0, timing: Timing::Exact, ..flash };
        assert_eq!(transfer_ps(4096, channel_ps_per_mib(&exact)), 3_413_333);
    }

    #[test]
    fn dram_times_are_those_of_mqsim_or_honest() {
        let dram = SsdParameters::preset(Preset::Mqsim).dram;
        assert_eq!([4096, 8192, 16_384].map(|bytes| dram_ps(&dram, bytes) / 1000), [20_506, 40_986, 41_025]);
        let exact = DramParameters { timing: Timing::Exact, ..dram };
        assert_eq!(dram_ps(&exact, 16_384), 163_840_000 + 2 * 26_000 + 13_000);
    }
}
