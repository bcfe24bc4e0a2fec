//! What the engine does as a whole, subject by subject. One program: each that is linked takes as long as many tests.

mod bottleneck;
mod common;
mod conservation;
mod data_sheets;
mod device_policies;
mod device_speed;
mod explain;
mod forecast;
mod format_docs;
mod hosts;
mod layers;
mod limits;
mod lossless;
mod mqsim_device;
mod recovery;
mod schema;
mod storage;
mod swift;
