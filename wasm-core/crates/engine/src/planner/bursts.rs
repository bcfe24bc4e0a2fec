//! What groups of tenants do under the ladder of paper 5, beside plain token buckets: the ladder of the scheduler
//! (`qos/tenants/schedulers/burst_ladder.rs`), in data that can be divided.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::jobs::Workloads;
use crate::kernel::time::{PS_PER_S, from_us, to_us};
use crate::qos::tenants::ladder::{Groups, Ladder, Member};

/// A ladder, and the groups of the tenants. Amounts are in requests.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LadderTerms {
    /// a.
    pub amount: f64,
    /// Last step of the first part.
    pub first: u32,
    /// Last step of the second part.
    pub second: u32,
    /// ψ.
    pub end: u32,
    /// Length of a step.
    pub step_us: f64,
    /// By tenant: the number of its group, below the number of tenants.
    pub groups: Vec<usize>,
}

/// What a tenant does step by step, in requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LadderSteps {
    /// Length of a step.
    pub step_us: f64,
    /// Start of the first that is told of.
    pub from_us: f64,
    /// What it has in every step.
    pub share: f64,
    /// What newly arrives.
    pub asked: Vec<f64>,
    /// What the ladder allows beyond the share.
    pub allowance: Vec<f64>,
    /// What it sends.
    pub sent: Vec<f64>,
    /// What waits at the end of the step.
    pub backlog: Vec<f64>,
    /// What it sends from a token bucket that its share fills.
    pub sent_by_bucket: Vec<f64>,
    /// What waits then.
    pub backlog_by_bucket: Vec<f64>,
}

/// Most steps that are told of, and that are gone through.
const MAX_TOLD: u64 = 4000;
const MAX_STEPS: u64 = 1_000_000;

/// The steps of a tenant within a stretch of time; all steps before it are gone through, too. `shares` are in requests a second.
/// None where there is no such tenant, or where there would be too many steps.
///
/// The token bucket beside the ladder is filled by the share of its tenant and holds as much as the ladder allows at most and a
/// step's share: what can be sent at once is the same, and nothing of others is given.
pub(super) fn ladder(
    terms: &LadderTerms,
    workloads: &Workloads,
    shares: &[f64],
    tenant: usize,
    time_ps: Range<u64>,
) -> Option<LadderSteps> {
    let is_length = terms.step_us.is_finite() && terms.step_us > 0.0;
    let step_ps = if is_length { from_us(terms.step_us).max(1) } else { 1 };
    let (first, last) = (time_ps.start / step_ps, time_ps.end.div_ceil(step_ps));
    let is_meant = tenant < workloads.len() && terms.groups.len() >= workloads.len() && is_length;
    if !is_meant || last <= first || last - first > MAX_TOLD || last > MAX_STEPS {
        return None;
    }
    let seconds = step_ps as f64 / PS_PER_S as f64;
    let ladder = Ladder { amount: terms.amount, first: terms.first, second: terms.second, end: terms.end };
    let group = |number: usize| terms.groups[number].min(workloads.len());
    let member =
        |(number, share): (usize, &f64)| Member { group: group(number), share: share * seconds, sets_bit: true };
    let members: Vec<Member> = shares.iter().enumerate().map(member).collect();
    let share = members[tenant].share;
    let depth = share + ladder.allowance(terms.end);
    let mut groups = Groups::of_data(ladder, &members);
    let (mut nexts, mut tokens, mut waiting) = (vec![0; workloads.len()], depth, 0.0);
    let mut steps =
        LadderSteps { step_us: to_us(step_ps), from_us: to_us(first * step_ps), share, ..LadderSteps::default() };
    for step in 0..last {
        let end_ps = (step + 1).saturating_mul(step_ps);
        let arriving: Vec<f64> = workloads
            .iter()
            .zip(&mut nexts)
            .map(|(arrivals, next)| {
                let count = arrivals[*next..].partition_point(|&at_ps| at_ps < end_ps);
                *next += count;
                count as f64
            })
            .collect();
        let done = groups.step(&arriving)[tenant];
        waiting += arriving[tenant];
        let by_bucket = f64::min(waiting, tokens);
        waiting -= by_bucket;
        tokens = (tokens - by_bucket + share).min(depth);
        if step < first {
            continue;
        }
        steps.asked.push(arriving[tenant]);
        steps.allowance.push(done.allowance);
        steps.sent.push(done.sent);
        steps.backlog.push(done.asked - done.sent);
        steps.sent_by_bucket.push(by_bucket);
        steps.backlog_by_bucket.push(waiting);
    }
    Some(steps)
}
