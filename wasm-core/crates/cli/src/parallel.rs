//! Independent work on every core.

use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `make` makes of each of some things, in their order; they are begun in it, too.
pub fn on_every_core<T: Sync, R: Send + Sync>(things: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let made: Vec<OnceLock<R>> = things.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(things.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((thing, made)) = things.get(at).zip(made.get(at)) else { return };
                    made.get_or_init(|| make(thing));
                }
            });
        }
    });
    made.into_iter().filter_map(OnceLock::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_made_in_its_order() {
        let things: Vec<u32> = (0..100).collect();
        assert_eq!(on_every_core(&things, |thing| 2 * thing), (0..200).step_by(2).collect::<Vec<_>>());
        assert!(on_every_core(&[], |thing: &u32| *thing).is_empty());
    }
}
