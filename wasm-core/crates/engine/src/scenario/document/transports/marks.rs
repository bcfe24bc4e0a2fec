//! Windows that follow marks (DCTCP, QTCP, D2TCP) in the document. Their one parameter is a field of the class.

use super::{FromClass, Sections, Surroundings};
use crate::transport::controllers::{d2tcp, dctcp, qtcp};

impl FromClass for dctcp::Parameters {
    fn from_class(class: &Sections, _at: &Surroundings) -> Self {
        Self { gain: class.gain }
    }
}

impl FromClass for d2tcp::Parameters {
    fn from_class(class: &Sections, _at: &Surroundings) -> Self {
        Self { gain: class.gain }
    }
}

impl FromClass for qtcp::Parameters {
    fn from_class(class: &Sections, at: &Surroundings) -> Self {
        Self { gain: class.gain, deficit: at.qos.mark_in_deficit }
    }
}
