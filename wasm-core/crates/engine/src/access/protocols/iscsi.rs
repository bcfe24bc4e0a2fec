//! iSCSI (RFC 7143): every PDU has a header of 48 bytes and data padded to 4; digests of 4 bytes each where they are on.
//!
//! Immediate data and, without InitialR2T, unsolicited data go up to FirstBurstLength; the rest is asked for in bursts of
//! MaxBurstLength.

use crate::access::{Protocol, SoftwareTimes};

/// Parameters that the two ends of a session agree on (RFC 7143, section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// InitialR2T: nothing but immediate data is sent unasked.
    pub initial_r2t: bool,
    /// ImmediateData: a command may bring data.
    pub immediate_data: bool,
    /// FirstBurstLength.
    pub first_burst_bytes: u64,
    /// MaxBurstLength.
    pub max_burst_bytes: u64,
    /// MaxRecvDataSegmentLength.
    pub data_segment_bytes: u64,
    /// HeaderDigest.
    pub header_digest: bool,
    /// DataDigest.
    pub data_digest: bool,
}

/// iSCSI adds 100 us and more, with a lock that serves 400 000 commands per second (ReFlex, ASPLOS 2017, table 2).
pub const SOFTWARE: SoftwareTimes = SoftwareTimes {
    host_latency_us: 53.0,
    target_latency_us: 55.0,
    command_work_us: 5.0,
    kib_work_us: 0.1,
    serial_us: 2.5,
};

impl From<Parameters> for Protocol {
    fn from(parameters: Parameters) -> Self {
        let header_bytes = 48 + if parameters.header_digest { 4 } else { 0 };
        let first_pdu = parameters.first_burst_bytes.min(parameters.data_segment_bytes);
        Self {
            command_bytes: header_bytes,
            immediate_bytes: if parameters.immediate_data { first_pdu } else { 0 },
            immediate_in_part: true,
            unsolicited_bytes: if parameters.initial_r2t { 0 } else { parameters.first_burst_bytes },
            ready_bytes: header_bytes,
            burst_bytes: parameters.max_burst_bytes,
            data_header_bytes: header_bytes,
            data_pdu_bytes: parameters.data_segment_bytes,
            padding_bytes: 4,
            data_digest_bytes: if parameters.data_digest { 4 } else { 0 },
            response_bytes: header_bytes,
            ..Self::BARE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Operation, Pdu};

    fn iscsi(initial_r2t: bool) -> Protocol {
        Protocol::from(Parameters {
            initial_r2t,
            immediate_data: true,
            first_burst_bytes: 65_536,
            max_burst_bytes: 262_144,
            data_segment_bytes: 8192,
            header_digest: false,
            data_digest: false,
        })
    }

    #[test]
    fn the_first_burst_goes_unasked_and_data_are_padded_to_four() {
        let asks = iscsi(true);
        assert_eq!(asks.command(Operation::Write, 100_001), Pdu { wire_bytes: 48 + 8192, data_bytes: 8192 });
        assert_eq!(asks.burst(262_144 - 8192).wire_bytes, 31 * 48 + 262_144 - 8192);
        assert_eq!(asks.command(Operation::Write, 510).wire_bytes, 48 + 512);
        let does_not = iscsi(false);
        assert_eq!(does_not.unasked_bytes(100_001), 65_536);
        assert_eq!(does_not.command(Operation::Write, 100_001).wire_bytes, 48 + 8192 + 7 * (48 + 8192));
    }
}
