//! From the sizes of the document to the law that draws them.

use super::document::{Distribution, Size, Traffic};
use crate::workload::distributions;
use crate::workload::laws::SizeLaw;

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
