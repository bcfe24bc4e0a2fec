//! I/O engines of fio: how their requests reach a drive.
//!
//! fio 3.41, `--enghelp` and the folder `engines`; SPDK, `app/fio`.

use qoscope_engine::scenario::closest;

/// How the requests of an engine reach a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// One after the other, through the kernel.
    Synchronous,
    /// Several outstanding, through the kernel.
    Queued,
    /// Not through the block layer of the kernel, or as commands of the drive: there is no page cache.
    Direct,
    /// Over a network, to storage behind a server.
    Network,
    /// Not at all.
    NoDrive,
    /// The engine is none of those that come with fio or SPDK.
    Unknown,
}

use Engine::{Direct, Network, NoDrive, Queued, Synchronous};

/// Engines by their names.
const ENGINES: [(&str, Engine); 60] = [
    ("sync", Synchronous),
    ("psync", Synchronous),
    ("vsync", Synchronous),
    ("pvsync", Synchronous),
    ("pvsync2", Synchronous),
    ("libaio", Queued),
    ("io_uring", Queued),
    ("posixaio", Queued),
    ("solarisaio", Queued),
    ("windowsaio", Queued),
    ("guasi", Queued),
    ("syslet-rw", Queued),
    ("spdk", Direct),
    ("spdk_bdev", Direct),
    ("io_uring_cmd", Direct),
    ("sg", Direct),
    ("xnvme", Direct),
    ("libblkio", Direct),
    ("libcufile", Direct),
    ("libhipfile", Direct),
    ("libzbc", Direct),
    ("mtd", Direct),
    ("rbd", Network),
    ("rados", Network),
    ("http", Network),
    ("nfs", Network),
    ("nbd", Network),
    ("libiscsi", Network),
    ("libhdfs", Network),
    ("gfapi", Network),
    ("gfapi_async", Network),
    ("dfs", Network),
    ("ime_psync", Network),
    ("ime_psyncv", Network),
    ("ime_aio", Network),
    ("null", NoDrive),
    ("cpp_null", NoDrive),
    ("mmap", NoDrive),
    ("splice", NoDrive),
    ("cpuio", NoDrive),
    ("exec", NoDrive),
    ("net", NoDrive),
    ("netsplice", NoDrive),
    ("rdma", NoDrive),
    ("librpma_apm_client", NoDrive),
    ("librpma_apm_server", NoDrive),
    ("librpma_gpspm_client", NoDrive),
    ("librpma_gpspm_server", NoDrive),
    ("ftruncate", NoDrive),
    ("filecreate", NoDrive),
    ("filestat", NoDrive),
    ("filedelete", NoDrive),
    ("dircreate", NoDrive),
    ("dirstat", NoDrive),
    ("dirdelete", NoDrive),
    ("falloc", NoDrive),
    ("e4defrag", NoDrive),
    ("dev-dax", NoDrive),
    ("libpmem", NoDrive),
    ("pmemblk", NoDrive),
];

impl Engine {
    /// The engine of a value of `ioengine`: a name, or the path of a plugin, with or without `external:`.
    pub(super) fn of(text: &str) -> Self {
        let name = name(text);
        ENGINES.iter().find(|(known, _)| *known == name).map_or(Self::Unknown, |(_, engine)| *engine)
    }

    /// The engine that a misspelt name was most likely meant to be; `None` for a path.
    pub(super) fn closest(text: &str) -> Option<&'static str> {
        if is_plugin(text) { None } else { closest(text, ENGINES.iter().map(|(name, _)| *name)) }
    }
}

/// Whether an engine is loaded from a file of its own.
pub(super) fn is_plugin(text: &str) -> bool {
    text.starts_with("external") || text.contains('/') || text.ends_with(".so")
}

/// Whether an engine may have options that fio does not list: it is loaded from a file, or comes with neither fio nor SPDK.
pub(super) fn has_own_options(text: &str) -> bool {
    is_plugin(text) || text.starts_with("spdk") || Engine::of(text) == Engine::Unknown
}

/// The name of an engine without its path: `external:/usr/lib/spdk_nvme` and `/usr/lib/fio-libaio.so` are `spdk` and `libaio`.
fn name(text: &str) -> &str {
    let path = text.trim().strip_prefix("external:").unwrap_or(text.trim());
    let file = path.rsplit('/').next().unwrap_or(path);
    let file = file.strip_suffix(".so").unwrap_or(file);
    let file = file.strip_prefix("fio-").unwrap_or(file);
    // SPDK's plugin has one name as a file, and another within fio.
    if file == "spdk_nvme" { "spdk" } else { file }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_known_by_their_files() {
        for text in ["spdk", "/opt/spdk/build/fio/spdk_nvme", "external:/opt/spdk_nvme", "build/fio/spdk_bdev"] {
            assert_eq!(Engine::of(text), Direct, "{text}");
        }
        assert_eq!(Engine::of("external:/usr/lib/fio/fio-libaio.so"), Queued);
        assert_eq!(Engine::of("external:engines/cpp_null.so"), NoDrive);
        assert_eq!(Engine::of("external:/opt/lab/mydrive.so"), Engine::Unknown);
    }

    #[test]
    fn misspelt_names_have_a_neighbour() {
        assert_eq!((Engine::of("libaoi"), Engine::closest("libaoi")), (Engine::Unknown, Some("libaio")));
        assert_eq!(Engine::closest("external:/opt/libaoi"), None);
    }
}
