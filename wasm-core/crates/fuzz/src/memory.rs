//! How much memory a case takes: an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// More than this is refused, which ends the process: a case must not take the machine down with it.
const LIMIT_BYTES: usize = 6 << 30;

static LIVE_BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK_BYTES: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the system, counted.
pub struct Counting;

#[expect(unsafe_code, reason = "every call is passed on to the allocator of the system as it came")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE_BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK_BYTES.fetch_max(live, Relaxed);
        if live > LIMIT_BYTES { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The most memory in use at any moment of a stretch of work, beyond what was in use when it began.
pub struct Peak(usize);

impl Peak {
    /// Begins a stretch.
    pub fn start() -> Self {
        let live = LIVE_BYTES.load(Relaxed);
        PEAK_BYTES.store(live, Relaxed);
        Self(live)
    }

    /// The peak so far.
    pub fn bytes(&self) -> usize {
        PEAK_BYTES.load(Relaxed).saturating_sub(self.0)
    }
}
