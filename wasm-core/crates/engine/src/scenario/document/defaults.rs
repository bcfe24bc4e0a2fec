//! Values of fields that a document leaves out.

pub(super) fn seed() -> u64 {
    42
}
pub(super) fn link_gbps() -> f64 {
    100.0
}
pub(super) fn link_delay_us() -> f64 {
    1.0
}
pub(super) fn frame_overhead_bytes() -> u32 {
    2
}
pub(super) fn dumbbell_switches() -> u32 {
    2
}
pub(super) fn ratio() -> f64 {
    1.0
}
pub(super) fn percentile() -> f64 {
    90.0
}
pub(super) fn scale() -> f64 {
    1.0
}
pub(super) fn gain() -> f64 {
    0.0625
}
pub(super) fn rate_smoothing() -> f64 {
    0.5
}
pub(super) fn update_interval_rtts() -> u32 {
    1
}
pub(super) fn connections() -> u32 {
    1
}
pub(super) fn block_bytes() -> u64 {
    4096
}
pub(super) fn yes() -> bool {
    true
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
pub(super) fn is_yes(value: &bool) -> bool {
    *value
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
pub(super) fn is_no(value: &bool) -> bool {
    !*value
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
pub(super) fn is_zero(value: &u16) -> bool {
    *value == 0
}
