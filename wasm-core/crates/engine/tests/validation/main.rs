//! Runs the scenarios that stand for published figures and for runs of ns-3, and holds the results against them.
//!
//! Every row of the tables in `docs/validation.md` is a [`check::Check`] made here from a run: the tests fail where a
//! result leaves its band, and where the document says something else than the runs do.
//! `UPDATE_DOCS=1 cargo test --test validation` writes the tables anew.

mod check;
mod coexistence;
mod deadlines;
mod document;
mod hpcc;
mod ns3;
mod paper1;
mod paper2;
mod paper3;
mod runs;
mod urgent;
