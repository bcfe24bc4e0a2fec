//! From the traffic of the document to the laws that draw it.

use super::document::{Distribution, Size, TraceFormat, Traffic, Workload};
use crate::kernel::convert::rounded;
use crate::workload::distributions;
use crate::workload::laws::SizeLaw;
use crate::workload::traces::Format;

/// Most requests of a trace that a workload replays: they take 192 MB.
pub const MAXIMUM_REPLAYED: u64 = 8_000_000;
/// Size that the requests of a trace are taken to have as long as it has not been read.
const UNREAD_BYTES: u64 = 16_384;

/// The points of a published distribution, all sizes multiplied by `scale`.
fn published(distribution: Distribution, scale: f64) -> Vec<(f64, f64)> {
    let points = match distribution {
        Distribution::WebSearch => distributions::WEB_SEARCH,
        Distribution::DataMining => distributions::DATA_MINING,
        Distribution::AliStorage2019 => distributions::ALI_STORAGE_2019,
        Distribution::FbHadoop => distributions::FB_HADOOP,
        Distribution::TencentLike => distributions::TENCENT_LIKE,
    };
    points.iter().map(|&(bytes, percent)| (bytes * scale, percent)).collect()
}

/// The law of request sizes of the document.
pub fn size_law(traffic: &Traffic) -> SizeLaw {
    match traffic {
        Traffic::Backlogged {} => SizeLaw::Fixed(0),
        Traffic::Trace { .. } => SizeLaw::Fixed(UNREAD_BYTES),
        Traffic::StandIn { of, .. } => SizeLaw::Fixed(rounded(of.profile().mean_bytes())),
        Traffic::OpenLoop { size, .. } | Traffic::ClosedLoop { size, .. } => match size {
            Size::Fixed { bytes } => SizeLaw::Fixed(*bytes),
            Size::Uniform { minimum_blocks, maximum_blocks, block_bytes } => {
                SizeLaw::Blocks { minimum: *minimum_blocks, maximum: *maximum_blocks, block_bytes: *block_bytes }
            }
            Size::Empirical { points } => SizeLaw::Empirical(points.clone()),
            Size::Published { distribution, scale } => SizeLaw::Empirical(published(*distribution, *scale)),
            Size::Exponential { mean_bytes } => SizeLaw::Exponential(*mean_bytes),
            Size::Choice { bytes } => SizeLaw::Choice(bytes.clone()),
        },
    }
}

/// The format that is stated for a trace; none where it is to be told from its lines.
pub fn trace_format(format: TraceFormat) -> Option<Format> {
    match format {
        TraceFormat::Auto => None,
        TraceFormat::Spc => Some(Format::Spc),
        TraceFormat::Msr => Some(Format::Msr),
        TraceFormat::Systor => Some(Format::Systor),
        TraceFormat::Tencent => Some(Format::Tencent),
        TraceFormat::Alibaba => Some(Format::Alibaba),
        TraceFormat::Mqsim => Some(Format::Mqsim),
        TraceFormat::Fio => Some(Format::Fio),
        TraceFormat::Blkparse => Some(Format::Blkparse),
    }
}

/// Share of the requests of a workload that read. A trace may hold both kinds: half, as long as it has not been read.
pub fn read_share(workload: &Workload) -> f64 {
    match &workload.traffic {
        Traffic::Trace { .. } => 0.5,
        Traffic::StandIn { of, .. } => of.profile().read_fraction,
        Traffic::OpenLoop { .. } | Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => workload.read_fraction,
    }
}

/// Requests that a stand-in is expected to draw for a run of so many microseconds; none for other traffic.
pub fn expected_draws(traffic: &Traffic, duration_us: f64) -> Option<f64> {
    let Traffic::StandIn { of, time_scale, requests } = traffic else { return None };
    let drawn = of.profile().requests_per_s * time_scale * duration_us / 1e6;
    Some(requests.map_or(drawn, |requests| drawn.min(requests as f64)))
}

/// Payload that requests bring in each second by themselves, over all connections of a workload, in Gb/s; none where it is
/// not known from the document.
pub fn offered_gbps(traffic: &Traffic) -> Option<f64> {
    match traffic {
        Traffic::OpenLoop { offered_gbps, .. } => Some(*offered_gbps),
        Traffic::StandIn { of, time_scale, .. } => {
            let profile = of.profile();
            Some(profile.requests_per_s * profile.mean_bytes() * time_scale * 8e-9)
        }
        Traffic::Trace { .. } | Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => None,
    }
}
