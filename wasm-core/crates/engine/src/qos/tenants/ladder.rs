//! Group QoS for bursts (paper 5, "Group QOS for burst management"): a tenant that asks for more than its share sets a burst
//! presence bit, and as long as it is set its allowance climbs a ladder step by step; what the others of its group leave of
//! their shares, and then what other groups leave, is given to those whose bit is set, within their allowances.
//!
//! The slides give the step function with gaps: t + a for 5 < t < 10 and 3t − a for 11 < t < ψ, t being steps of one. Below, at
//! the joints and from ψ on it is filled as `docs/models.md` says. Amounts are in any unit of data; paper 5 has megabytes.

/// The step function of the burst allowance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ladder {
    /// a, the amount of a step of the ladder.
    pub amount: f64,
    /// The last step of the first part, where the allowance is t: 5 in the paper.
    pub first: u32,
    /// The last step of the second part, where it is t + a: 10 in the paper.
    pub second: u32,
    /// ψ: from this step on the allowance grows no more.
    pub end: u32,
}

impl Ladder {
    /// The ladder of the paper, with its a and ψ.
    pub fn of_paper(amount: f64, end: u32) -> Self {
        Self { amount, first: 5, second: 10, end }
    }

    /// What may be sent beyond the share in step number `step` of a burst, from 1 on; nothing without a burst, 0. It never falls
    /// as a burst goes on, also where 3t − a is less than what the second part ended with.
    pub fn allowance(&self, step: u32) -> f64 {
        let step = step.min(self.end);
        let second = |step: u32| f64::from(step) + self.amount;
        match step {
            0 => 0.0,
            _ if step <= self.first => f64::from(step),
            _ if step <= self.second => second(step),
            _ => (3.0 * f64::from(step) - self.amount).max(second(self.second)),
        }
    }
}

/// A tenant of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tenant {
    group: usize,
    /// What it may send in every step.
    share: f64,
    /// Steps that its burst has lasted.
    bursting: u32,
    /// What it has asked for and not sent.
    backlog: f64,
}

/// What a tenant does in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// What it asks for, with what was left before.
    pub asked: f64,
    /// Whether its burst presence bit is set.
    pub bursts: bool,
    /// What the ladder allows beyond its share.
    pub allowance: f64,
    /// What it sends.
    pub sent: f64,
    /// Of that, what it got beyond its share.
    pub beyond: f64,
}

/// Groups of tenants under a ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    ladder: Ladder,
    tenants: Vec<Tenant>,
    groups: usize,
}

impl Groups {
    /// Tenants in which nothing has happened, each with the number of its group and its share of every step.
    pub fn new(ladder: Ladder, tenants: &[(usize, f64)]) -> Self {
        let tenants: Vec<Tenant> =
            tenants.iter().map(|&(group, share)| Tenant { group, share, ..Tenant::default() }).collect();
        let groups = tenants.iter().map(|tenant| tenant.group + 1).max().unwrap_or(0);
        Self { ladder, tenants, groups }
    }

    /// One step: `arriving` is what every tenant newly asks for.
    pub fn step(&mut self, arriving: &[f64]) -> Vec<Step> {
        let mut left = vec![0.0; self.groups];
        let mut steps: Vec<Step> = Vec::with_capacity(self.tenants.len());
        for (tenant, arriving) in self.tenants.iter_mut().zip(arriving) {
            let asked = tenant.backlog + arriving;
            let bursts = asked > tenant.share;
            tenant.bursting = if bursts { tenant.bursting + 1 } else { 0 };
            let sent = asked.min(tenant.share);
            left[tenant.group] += tenant.share - sent;
            steps.push(Step { asked, bursts, allowance: self.ladder.allowance(tenant.bursting), sent, beyond: 0.0 });
        }
        // What a group leaves goes to its own first, then all that is left to whoever still may take it.
        for (group, left) in left.iter_mut().enumerate() {
            *left = share_out(*left, &mut steps, |number| self.tenants[number].group == group);
        }
        share_out(left.iter().sum(), &mut steps, |_| true);
        for (tenant, step) in self.tenants.iter_mut().zip(&mut steps) {
            step.sent += step.beyond;
            tenant.backlog = step.asked - step.sent;
        }
        steps
    }
}

/// What counts as nothing, in the unit of shares: sums of decimals are off by some of the last digits.
const NOTHING: f64 = 1e-9;

/// Gives `amount` to some tenants, to each no more than it asks for and its allowance, in proportion to allowances; what one
/// cannot take the others get. Returns what is left over.
fn share_out(mut amount: f64, steps: &mut [Step], is_meant: impl Fn(usize) -> bool) -> f64 {
    let wanted = |step: &Step| (step.asked - step.sent).min(step.allowance) - step.beyond;
    loop {
        let meant = steps.iter().enumerate().filter(|(number, step)| is_meant(*number) && wanted(step) > NOTHING);
        let allowances: f64 = meant.map(|(_, step)| step.allowance).sum();
        if allowances <= 0.0 || amount <= NOTHING {
            return amount;
        }
        let (per_allowance, mut given, mut satisfied) = (amount / allowances, 0.0, false);
        for (number, step) in steps.iter_mut().enumerate() {
            let wants = wanted(step);
            if is_meant(number) && wants > NOTHING {
                let share = per_allowance * step.allowance;
                satisfied |= share >= wants;
                step.beyond += share.min(wants);
                given += share.min(wants);
            }
        }
        amount -= given;
        // As long as one had enough there is something left for others.
        if !satisfied {
            return 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ladder_of_the_paper_with_its_gaps_filled() {
        let ladder = Ladder::of_paper(10.0, 30);
        let allowances: Vec<f64> = [0, 1, 5, 6, 10, 11, 12, 20, 29, 30, 99].map(|step| ladder.allowance(step)).into();
        assert_eq!(allowances, [0.0, 1.0, 5.0, 16.0, 20.0, 23.0, 26.0, 50.0, 77.0, 80.0, 80.0]);
        // With a larger amount the third part begins below the second: it waits there.
        let steep = Ladder::of_paper(20.0, 30);
        assert_eq!([10, 11, 16, 17, 18].map(|step| steep.allowance(step)), [30.0, 30.0, 30.0, 31.0, 34.0]);
    }

    #[test]
    fn a_burst_takes_what_its_group_leaves_and_then_what_other_groups_leave() {
        let mut groups = Groups::new(Ladder::of_paper(10.0, 30), &[(0, 10.0), (0, 10.0), (1, 10.0)]);
        let mut sent = Vec::new();
        for _ in 0..12 {
            let steps = groups.step(&[60.0, 4.0, 7.0]);
            assert!(steps[0].bursts && !steps[1].bursts);
            sent.push(steps[0].sent);
        }
        // One more each step, then all that the others leave: 6 of its own group and 3 of the other.
        assert_eq!(sent[..7], [11.0, 12.0, 13.0, 14.0, 15.0, 19.0, 19.0]);
    }

    #[test]
    fn a_burst_that_pauses_begins_anew() {
        let mut groups = Groups::new(Ladder::of_paper(10.0, 30), &[(0, 10.0), (0, 100.0)]);
        let allowance = |steps: &[Step]| steps[0].allowance;
        assert_eq!(allowance(&groups.step(&[11.0, 0.0])), 1.0);
        assert_eq!(allowance(&groups.step(&[12.0, 0.0])), 2.0);
        assert_eq!(allowance(&groups.step(&[5.0, 0.0])), 0.0);
        assert_eq!(allowance(&groups.step(&[50.0, 0.0])), 1.0);
    }

    proptest! {
        /// No more is sent than all shares together, than was asked for, or than share and allowance; nothing is lost; and
        /// nothing is left over while somebody could take it.
        #[test]
        fn what_is_sent_is_conserved(
            tenants in prop::collection::vec((0_usize..3, 0_u32..20), 1..8),
            asked in prop::collection::vec(0_u32..60, 1..200),
        ) {
            let tenants: Vec<(usize, f64)> = tenants.iter().map(|&(group, share)| (group, f64::from(share))).collect();
            let mut groups = Groups::new(Ladder::of_paper(10.0, 30), &tenants);
            let all: f64 = tenants.iter().map(|(_, share)| share).sum();
            let mut balance = vec![0.0; tenants.len()];
            for arriving in asked.chunks_exact(tenants.len()) {
                let arriving: Vec<f64> = arriving.iter().map(|&asked| f64::from(asked)).collect();
                let steps = groups.step(&arriving);
                let sent: f64 = steps.iter().map(|step| step.sent).sum();
                prop_assert!(sent <= all + 1e-6);
                let mut could_take = 0.0;
                for (number, step) in steps.iter().enumerate() {
                    balance[number] += arriving[number] - step.sent;
                    prop_assert!((balance[number] - groups.tenants[number].backlog).abs() < 1e-6);
                    prop_assert!(step.sent <= step.asked + 1e-6);
                    prop_assert!(step.beyond <= step.allowance + 1e-6);
                    could_take += (step.asked - step.sent).min(step.allowance - step.beyond).max(0.0);
                }
                prop_assert!(could_take < 1e-6 || sent > all - 1e-6, "{} of {} sent", sent, all);
            }
        }
    }
}
