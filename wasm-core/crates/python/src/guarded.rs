//! What one thread at a time is at, without holding up the others of Python.

use std::sync::{Mutex, TryLockError};

use pyo3::prelude::*;

use crate::errors::failed;

const BUSY: &str = "Another thread is at this simulation or study: wait for it, or fork the simulation.";
const BROKEN: &str = "The engine failed in this simulation or study: begin it anew, and please report it.";

/// What one thread at a time is at.
pub struct Guarded<T>(Mutex<T>);

impl<T: Send> Guarded<T> {
    /// Of what is guarded.
    pub fn new(guarded: T) -> Self {
        Self(Mutex::new(guarded))
    }

    /// Does something with it while other threads of Python go on. One that wants it meanwhile is told so, and does not wait: it might for ever.
    pub fn with<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        let done = py.detach(|| match self.0.try_lock() {
            Ok(mut own) => Ok(act(&mut own)),
            Err(TryLockError::WouldBlock) => Err(BUSY),
            Err(TryLockError::Poisoned(_)) => Err(BROKEN),
        });
        done.map_err(|sentence| failed(py, sentence.into()))
    }
}
