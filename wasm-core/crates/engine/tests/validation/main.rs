//! Runs the scenarios that stand for published figures and for runs of other simulators, and holds the results against them.
//!
//! Every row of the tables in `docs/validation.md` is a [`row::Row`] made here from runs: the tests fail where a verdict is
//! no longer what it was, and where the document says something else than the runs do.
//! `UPDATE_DOCS=1 cargo test --test validation` writes the tables anew.

mod coexistence;
mod deadlines;
mod deviations;
mod document;
mod hpcc;
mod ns3;
mod paper1;
mod paper2;
mod paper3;
mod row;
mod runs;
mod sample;
mod urgent;
