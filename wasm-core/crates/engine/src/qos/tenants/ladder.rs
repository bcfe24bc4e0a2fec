//! Group QoS for bursts (paper 5, "Group QOS for burst management"): a tenant that asks for more than its share sets a burst
//! presence bit, and as long as it is set its allowance climbs a ladder step by step; what the others of its group leave of
//! their shares, and then what other groups leave, is given to those whose bit is set, within their allowances. The scheduler
//! that does so before a server is in [`super::bursts`].
//!
//! The slides give the step function with gaps: t + a for 5 < t < 10 and 3t − a for 11 < t < ψ, t being steps of one. Below, at
//! the joints and from ψ on it is filled as `docs/models.md` says. Amounts are in any unit of data; paper 5 has megabytes.

use crate::kernel::sums::total;

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

/// A tenant of a group, as it takes part in bursts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Number of its group.
    pub group: usize,
    /// What it may send in every step.
    pub share: f64,
    /// Whether its burst presence bit is set when it asks for more. Without, it never gets more than its share.
    pub sets_bit: bool,
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

/// A tenant and its step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tenant {
    member: Member,
    /// What it may send of its own in this step: its share, and what it has kept of earlier ones.
    own: f64,
    /// Steps before this one that its burst has lasted.
    climbed: u32,
    step: Step,
}

impl Tenant {
    fn new(member: Member) -> Self {
        Self { member, own: 0.0, climbed: 0, step: Step::default() }
    }

    /// What it has asked for and not sent.
    fn backlog(&self) -> f64 {
        self.step.asked - self.step.sent
    }

    /// What it has sent of its own.
    fn own_sent(&self) -> f64 {
        self.step.sent - self.step.beyond
    }

    /// What it leaves to others of its share, by what it has asked for so far; nothing where it has to save up for a `unit`.
    fn leaves(&self, unit: f64) -> f64 {
        let share = self.member.share;
        if share < unit { 0.0 } else { (self.own - self.step.asked).clamp(0.0, share) }
    }

    /// It asks for so much more. Beyond its own the bit is set, and the ladder says how much it may get.
    fn ask(&mut self, ladder: &Ladder, amount: f64) {
        self.step.asked += amount;
        if !self.step.bursts && self.member.sets_bit && self.step.asked > self.own + NOTHING {
            self.step.bursts = true;
            self.step.allowance = ladder.allowance(self.climbed.saturating_add(1));
        }
    }

    /// So many steps have gone by, the last of which begins with what was left. A share is for its step, but for what it lacks of
    /// a `unit`, and for what the server had no time for.
    fn begin_step(&mut self, ladder: &Ladder, unit: f64, steps: u32) {
        let (share, backlog) = (self.member.share, self.backlog());
        let kept = if backlog >= unit.max(NOTHING) { share.max(unit) } else { (unit - share).max(0.0) };
        let skipped = steps.saturating_sub(1);
        let left = self.own - self.own_sent() + f64::from(skipped) * share;
        self.own = share + left.clamp(0.0, kept);
        // What it may send of its own does not fall while it sends nothing: a bit set now was set in all steps that were skipped.
        let lasts = self.step.bursts && (skipped == 0 || backlog > self.own + NOTHING);
        self.climbed = if lasts { self.climbed.saturating_add(steps) } else { 0 };
        self.step = Step::default();
        self.ask(ladder, backlog);
    }
}

/// Groups of tenants under a ladder. What tenants send comes in pieces of a unit: of none where it is data that can be divided,
/// as in a drawing ([`Self::step`]), of one where it is requests that a server takes one by one ([`Self::serve_next`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    ladder: Ladder,
    unit: f64,
    tenants: Vec<Tenant>,
    /// By group: what tenants have got in this step beyond their shares of what its own leave.
    lent: Vec<f64>,
    /// By group: what is left to lend, as of the last look.
    left: Vec<f64>,
}

impl Groups {
    /// Tenants of which none has asked for anything, of data that can be divided.
    pub fn of_data(ladder: Ladder, members: &[Member]) -> Self {
        Self::new(ladder, members, 0.0)
    }

    /// Tenants of which none has asked for anything, of requests.
    pub fn of_requests(ladder: Ladder, members: &[Member]) -> Self {
        Self::new(ladder, members, 1.0)
    }

    fn new(ladder: Ladder, members: &[Member], unit: f64) -> Self {
        let groups = vec![0.0; count(members)];
        let tenants = members.iter().copied().map(Tenant::new).collect();
        Self { ladder, unit, tenants, lent: groups.clone(), left: groups }
    }

    /// Changes the ladder, and groups and shares. The step that goes on keeps its shares and allowances.
    pub fn set(&mut self, ladder: Ladder, members: &[Member]) {
        self.ladder = ladder;
        self.tenants.iter_mut().zip(members).for_each(|(tenant, &member)| tenant.member = member);
        [&mut self.lent, &mut self.left].into_iter().for_each(|groups| groups.resize(count(members), 0.0));
    }

    /// The next step begins, the last of so many since the one before.
    pub fn begin_step(&mut self, steps: u32) {
        self.lent.fill(0.0);
        self.tenants.iter_mut().for_each(|tenant| tenant.begin_step(&self.ladder, self.unit, steps));
    }

    /// A tenant asks for so much more.
    pub fn ask(&mut self, tenant: usize, amount: f64) {
        self.tenants[tenant].ask(&self.ladder, amount);
    }

    /// One whole step of data: `arriving` is what every tenant newly asks for.
    pub fn step(&mut self, arriving: &[f64]) -> Vec<Step> {
        self.begin_step(1);
        let Self { ladder, unit, tenants, lent, .. } = self;
        for (tenant, &arriving) in tenants.iter_mut().zip(arriving) {
            tenant.ask(ladder, arriving);
            tenant.step.sent = tenant.step.asked.min(tenant.own);
        }
        // What a group leaves goes to its own first, then all that is left to whoever still may take it.
        let mut left = 0.0;
        for group in 0..lent.len() {
            let members = tenants.iter().filter(|tenant| tenant.member.group == group);
            let leaves = total(members.map(|tenant| tenant.leaves(*unit)));
            left += share_out(leaves, tenants, |tenant| tenant.member.group == group);
        }
        share_out(left, tenants, |_| true);
        tenants.iter().map(|tenant| tenant.step).collect()
    }

    /// The tenant of whom a request is served next, and counts as served; none if all that wait have to wait for the next step.
    ///
    /// Those with something left of their own come first, in proportion to shares. What others leave, by what they have asked for
    /// so far, goes to those whose bit is set, in proportion to allowances: to those of the same group first. Of equals the
    /// first is served.
    pub fn serve_next(&mut self) -> Option<usize> {
        let unit = self.unit - NOTHING;
        let waits = |tenant: &Tenant| tenant.backlog() >= unit;
        let with_own = |tenant: &Tenant| waits(tenant) && tenant.own - tenant.own_sent() >= unit;
        if let Some(number) = self.first(with_own, |tenant| tenant.own_sent() / tenant.member.share) {
            self.tenants[number].step.sent += self.unit;
            return Some(number);
        }
        self.left.iter_mut().zip(&self.lent).for_each(|(left, lent)| *left = -lent);
        self.tenants.iter().for_each(|tenant| self.left[tenant.member.group] += tenant.leaves(self.unit));
        if total(self.left.iter().copied()) < unit {
            return None;
        }
        let bursts = |tenant: &Tenant| waits(tenant) && tenant.step.allowance - tenant.step.beyond >= unit;
        let at_home = |tenant: &Tenant| bursts(tenant) && self.left[tenant.member.group] >= unit;
        let beyond = |tenant: &Tenant| tenant.step.beyond / tenant.step.allowance;
        let number = self.first(at_home, beyond).or_else(|| self.first(bursts, beyond))?;
        self.lend(self.tenants[number].member.group);
        let step = &mut self.tenants[number].step;
        step.sent += self.unit;
        step.beyond += self.unit;
        Some(number)
    }

    /// Of the tenants that are meant the one of which `part` is least.
    fn first(&self, is_meant: impl Fn(&Tenant) -> bool, part: impl Fn(&Tenant) -> f64) -> Option<usize> {
        let meant = self.tenants.iter().enumerate().filter(|(_, tenant)| is_meant(tenant));
        meant.min_by(|(_, one), (_, other)| part(one).total_cmp(&part(other))).map(|(number, _)| number)
    }

    /// Takes a unit from what a group leaves, and what it lacks from others.
    fn lend(&mut self, home: usize) {
        let mut wanted = self.unit;
        let others = (0..self.left.len()).filter(|&group| group != home);
        for group in [home].into_iter().chain(others) {
            let taken = self.left[group].clamp(0.0, wanted);
            self.lent[group] += taken;
            wanted -= taken;
        }
    }
}

/// Groups of tenants.
fn count(members: &[Member]) -> usize {
    members.iter().map(|member| member.group + 1).max().unwrap_or(0)
}

/// What counts as nothing, in the unit of shares: sums of decimals are off by some of the last digits.
const NOTHING: f64 = 1e-9;

/// Gives `amount` to some tenants, to each no more than it asks for and its allowance, in proportion to allowances; what one
/// cannot take the others get. Returns what is left over.
fn share_out(mut amount: f64, tenants: &mut [Tenant], is_meant: impl Fn(&Tenant) -> bool) -> f64 {
    let wanted = |tenant: &Tenant| tenant.backlog().min(tenant.step.allowance - tenant.step.beyond);
    loop {
        let meant = tenants.iter().filter(|tenant| is_meant(tenant) && wanted(tenant) > NOTHING);
        let allowances = total(meant.map(|tenant| tenant.step.allowance));
        if allowances <= 0.0 || amount <= NOTHING {
            return amount;
        }
        let (per_allowance, mut given, mut satisfied) = (amount / allowances, 0.0, false);
        for tenant in tenants.iter_mut() {
            let wants = wanted(tenant);
            if is_meant(tenant) && wants > NOTHING {
                let share = per_allowance * tenant.step.allowance;
                let got = share.min(wants);
                satisfied |= share >= wants;
                tenant.step.beyond += got;
                tenant.step.sent += got;
                given += got;
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

    fn members(members: &[(usize, f64)]) -> Vec<Member> {
        members.iter().map(|&(group, share)| Member { group, share, sets_bit: true }).collect()
    }

    fn of_data(all: &[(usize, f64)]) -> Groups {
        Groups::of_data(Ladder::of_paper(10.0, 30), &members(all))
    }

    /// One step of requests that all come at its start, before a server that has time for all: what each tenant sends.
    fn served(groups: &mut Groups, arriving: &[u32]) -> Vec<u32> {
        groups.begin_step(1);
        arriving.iter().enumerate().for_each(|(tenant, &arriving)| groups.ask(tenant, f64::from(arriving)));
        let mut sent = vec![0; arriving.len()];
        while let Some(tenant) = groups.serve_next() {
            sent[tenant] += 1;
        }
        sent
    }

    #[test]
    fn a_burst_takes_what_its_group_leaves_and_then_what_other_groups_leave() {
        let mut groups = of_data(&[(0, 10.0), (0, 10.0), (1, 10.0)]);
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
    fn requests_climb_the_same_ladder_one_by_one() {
        let all = members(&[(0, 10.0), (0, 10.0), (1, 10.0)]);
        let mut groups = Groups::of_requests(Ladder::of_paper(10.0, 30), &all);
        let sent: Vec<u32> = (0..7).map(|_| served(&mut groups, &[60, 4, 7])[0]).collect();
        assert_eq!(sent, [11, 12, 13, 14, 15, 19, 19]);
    }

    #[test]
    fn what_a_group_leaves_is_for_its_own_before_others() {
        let all = members(&[(0, 10.0), (1, 10.0), (1, 10.0)]);
        let mut groups = Groups::of_requests(Ladder::of_paper(10.0, 30), &all);
        // Six steps on, both may take 16 of the 8 that the last one leaves.
        let sent: Vec<Vec<u32>> = (0..6).map(|_| served(&mut groups, &[60, 60, 2])).collect();
        assert_eq!(sent[0], [11, 11, 2]);
        assert_eq!(sent[5], [10, 18, 2]);
    }

    #[test]
    fn a_tenant_that_sets_no_bit_gets_its_share_alone() {
        let mut all = members(&[(0, 10.0), (0, 10.0)]);
        all[0].sets_bit = false;
        let mut groups = Groups::of_requests(Ladder::of_paper(10.0, 30), &all);
        for _ in 0..8 {
            assert_eq!(served(&mut groups, &[60, 0]), [10, 0]);
        }
    }

    #[test]
    fn parts_of_a_request_are_kept_until_they_are_a_whole_one() {
        let mut groups = Groups::of_requests(Ladder::of_paper(10.0, 30), &members(&[(0, 0.4), (1, 2.5)]));
        // The first one has saved up a request by the third step, and asks for no more than that.
        assert_eq!(served(&mut groups, &[0, 0]), [0, 0]);
        assert_eq!(served(&mut groups, &[0, 9]), [0, 2]);
        assert_eq!(served(&mut groups, &[1, 0])[0], 1);
        assert!(!groups.tenants[0].step.bursts);
        // Of two and a half the other one gets two and three in turn, beside what its burst gets.
        let of_own: Vec<f64> = (0..4)
            .map(|_| {
                served(&mut groups, &[0, 9]);
                groups.tenants[1].own_sent()
            })
            .collect();
        assert_eq!(of_own, [2.0, 3.0, 2.0, 3.0]);
    }

    #[test]
    fn steps_without_an_event_are_as_good_as_steps_one_by_one() {
        let begun = |asked: f64| {
            let mut groups = Groups::of_requests(Ladder::of_paper(10.0, 30), &members(&[(0, 0.25), (0, 3.0)]));
            groups.begin_step(1);
            groups.ask(0, asked);
            groups.ask(1, 40.0);
            groups
        };
        for asked in [0.0, 1.0, 5.0] {
            let (mut slow, mut quick) = (begun(asked), begun(asked));
            (0..7).for_each(|_| slow.begin_step(1));
            quick.begin_step(7);
            assert_eq!(slow, quick, "{asked} asked");
        }
    }

    #[test]
    fn a_burst_that_pauses_begins_anew() {
        let mut groups = of_data(&[(0, 10.0), (0, 100.0)]);
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
            let mut groups = of_data(&tenants);
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
                    prop_assert!((balance[number] - groups.tenants[number].backlog()).abs() < 1e-6);
                    prop_assert!(step.sent <= step.asked + 1e-6);
                    prop_assert!(step.beyond <= step.allowance + 1e-6);
                    could_take += (step.asked - step.sent).min(step.allowance - step.beyond).max(0.0);
                }
                prop_assert!(could_take < 1e-6 || sent > all - 1e-6, "{} of {} sent", sent, all);
            }
        }

        /// Requests that come at the start of their step are given to tenants as data is, but for parts of a request that a tenant,
        /// or a group, cannot use in a step.
        #[test]
        fn requests_are_shared_out_as_data_is(
            tenants in prop::collection::vec((0_usize..3, 1_u32..20), 1..8),
            asked in prop::collection::vec(0_u32..60, 1..200),
        ) {
            let tenants: Vec<(usize, f64)> = tenants.iter().map(|&(group, share)| (group, f64::from(share))).collect();
            let mut data = of_data(&tenants);
            let mut requests = Groups::of_requests(Ladder::of_paper(10.0, 30), &members(&tenants));
            for arriving in asked.chunks_exact(tenants.len()) {
                // Both from the same state: what is left of a request may not add up.
                for (of_data, of_requests) in data.tenants.iter_mut().zip(&requests.tenants) {
                    (of_data.step, of_data.climbed) = (of_requests.step, of_requests.climbed);
                }
                let sent = served(&mut requests, arriving);
                let own: f64 = requests.tenants.iter().map(|tenant| tenant.own).sum();
                prop_assert!(f64::from(sent.iter().sum::<u32>()) <= own + 1e-6);
                let arriving: Vec<f64> = arriving.iter().map(|&asked| f64::from(asked)).collect();
                for (step, sent) in data.step(&arriving).iter().zip(sent) {
                    prop_assert!((step.sent - f64::from(sent)).abs() < tenants.len() as f64, "{:?}, {} sent", step, sent);
                }
            }
        }

        /// A server that takes as many requests in a step as all shares together: a tenant that asks for its share at the start of
        /// every step gets it, whatever the others ask for and whenever; nobody gets more than share and allowance.
        #[test]
        fn nobody_who_asks_gets_less_than_its_share(
            tenants in prop::collection::vec((0_usize..3, 1_u32..20), 1..8),
            arrivals in prop::collection::vec((0_usize..8, 0_u32..4), 1..600),
        ) {
            let tenants: Vec<(usize, f64)> = tenants.iter().map(|&(group, share)| (group, f64::from(share))).collect();
            let mut groups = Groups::of_requests(Ladder::of_paper(10.0, 30), &members(&tenants));
            let capacity = tenants.iter().map(|(_, share)| *share as usize).sum::<usize>();
            for slots in arrivals.chunks(capacity) {
                groups.begin_step(1);
                groups.ask(0, tenants[0].1);
                for place in 0..capacity {
                    if let Some(&(tenant, amount)) = slots.get(place) {
                        groups.ask(tenant % tenants.len(), f64::from(amount));
                    }
                    groups.serve_next();
                }
                let first = groups.tenants[0];
                prop_assert!(first.own_sent() >= first.member.share, "{:?}", first);
                for tenant in &groups.tenants {
                    prop_assert!(tenant.step.beyond <= tenant.step.allowance);
                    prop_assert!(tenant.own_sent() <= tenant.own + 1e-6 && tenant.step.sent <= tenant.step.asked);
                }
            }
        }
    }
}
