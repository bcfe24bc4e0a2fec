//! Rules of QTCP that the papers leave open, or that are compared with theirs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time in which a class grows by one packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthSlot {
    /// Its own round trip: nothing need be known of other classes, and those with shorter round trips grow faster.
    #[default]
    #[schemars(title = "Own RTT")]
    OwnRtt,
    /// An interpretation: the longest round trip among the classes, so that all grow alike. Cuts stay on the own round trip.
    /// Every sender has to know the longest round trip.
    #[schemars(title = "Longest RTT")]
    LongestRtt,
}

/// What a mark does to the window of a class that has less than its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeficitRule {
    /// The window is cut by α alone, as published (paper 1 eq. 5, paper 2 eq. 7, row 2).
    #[default]
    #[schemars(title = "Cut")]
    Cut,
    /// Not QTCP: a rule of our own to compare with, against row 2 of the published one. The window neither shrinks nor grows.
    #[schemars(title = "Hold")]
    Hold,
}
