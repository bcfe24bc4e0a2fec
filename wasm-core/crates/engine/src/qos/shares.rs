//! What every class should carry: weighted max-min shares over the paths that its connections take.
//!
//! Classes share each link by their ratios, the connections of a class split its part equally, none gets more than it asks
//! for, and what a class cannot use goes to the others. At one bottleneck, with every class asking for more than it gets,
//! class i gets C r_i / Σ r_j, as the papers have it (paper 1 eq. 9, paper 2 eq. 10).

use crate::kernel::ids::LinkId;

/// A connection that asks for something.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// Its class.
    pub class: usize,
    /// The links of its path.
    pub links: &'a [LinkId],
    /// What it asks for at most, in the unit of the capacities; infinite where it takes whatever there is.
    pub limit: f64,
}

/// Two offers this close to each other are the same.
const SAME: f64 = 1e-9;

/// Progressive filling: connections that ask for no more than all their links offer are settled first; then those of links
/// that hold back every connection they still have. Each leaves what it does not take to the others of its class, and
/// those of its class to the other classes.
///
/// Keeps its memory from one filling to the next.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    classes: usize,
    /// Those that some connection takes, each once.
    links: Vec<LinkId>,
    /// By link and class: connections that are not settled.
    unsettled: Vec<u32>,
    /// By link and class: what those take that are.
    taken: Vec<f64>,
    /// By link: what the classes that are not settled share, per unit of their ratios.
    unit: Vec<f64>,
    /// By link: connections that it holds back, or that it could give more.
    holds: Vec<u32>,
    /// By link: what is left of it.
    left: Vec<f64>,
    /// By connection: what its links offer.
    offers: Vec<f64>,
    rates: Vec<f64>,
    /// Connections that are not settled, and those that are about to be.
    open: Vec<usize>,
    settling: Vec<usize>,
    /// Links with the connections they hold back.
    held: Vec<(LinkId, usize)>,
}

impl Filling {
    /// The rate of every connection. `capacities` are by link, `ratios` by class.
    pub fn fill(&mut self, capacities: &[f64], ratios: &[f64], demands: &[Demand]) -> &[f64] {
        self.begin(capacities.len(), ratios.len(), demands);
        while !self.open.is_empty() {
            self.split(capacities, ratios);
            for position in 0..self.open.len() {
                let number = self.open[position];
                self.offers[number] = self.offer(ratios, &demands[number]);
            }
            let Self { open, offers, settling, .. } = self;
            settling.clear();
            settling.extend(open.iter().copied().filter(|&number| demands[number].limit <= offers[number]));
            if settling.is_empty() {
                self.hold_back(ratios, demands);
            }
            for position in 0..self.settling.len() {
                let number = self.settling[position];
                let rate = self.offers[number].min(demands[number].limit);
                self.rates[number] = rate;
                self.settle(&demands[number], rate);
            }
            let Self { open, settling, .. } = self;
            open.retain(|number| settling.binary_search(number).is_err());
        }
        self.top_up(capacities, demands);
        &self.rates
    }

    /// Forgets the last filling, and counts the connections of this one.
    fn begin(&mut self, links: usize, classes: usize, demands: &[Demand]) {
        if (self.unit.len(), self.classes) == (links, classes) {
            for link in self.links.drain(..) {
                let cells = link.index() * classes..(link.index() + 1) * classes;
                self.unsettled[cells.clone()].fill(0);
                self.taken[cells].fill(0.0);
            }
        } else {
            *self = Self {
                classes,
                unsettled: vec![0; links * classes],
                taken: vec![0.0; links * classes],
                unit: vec![0.0; links],
                holds: vec![0; links],
                left: vec![0.0; links],
                ..Self::default()
            };
        }
        for demand in demands {
            for &link in demand.links {
                let cells = link.index() * classes..(link.index() + 1) * classes;
                if self.unsettled[cells].iter().all(|&count| count == 0) {
                    self.links.push(link);
                }
                let cell = self.cell(link, demand.class);
                self.unsettled[cell] += 1;
            }
        }
        for numbers in [&mut self.rates, &mut self.offers] {
            numbers.clear();
            numbers.resize(demands.len(), 0.0);
        }
        self.open.clear();
        self.open.extend(0..demands.len());
    }

    fn cell(&self, link: LinkId, class: usize) -> usize {
        link.index() * self.classes + class
    }

    /// Splits what the settled classes leave of each link among the others.
    fn split(&mut self, capacities: &[f64], ratios: &[f64]) {
        for link in self.links.iter().map(|link| link.index()) {
            let first = link * self.classes;
            let (mut pool, mut sum) = (capacities[link], 0.0);
            for (class, ratio) in ratios.iter().enumerate() {
                if self.unsettled[first + class] > 0 {
                    sum += ratio;
                } else {
                    pool -= self.taken[first + class];
                }
            }
            self.unit[link] = pool / sum;
            self.holds[link] = 0;
        }
    }

    /// What a link offers to each connection of a class that is not settled.
    fn offer_of(&self, ratios: &[f64], link: LinkId, class: usize) -> f64 {
        let cell = self.cell(link, class);
        (self.unit[link.index()] * ratios[class] - self.taken[cell]).max(0.0) / f64::from(self.unsettled[cell])
    }

    /// The least that a link of its path offers to a connection.
    fn offer(&self, ratios: &[f64], demand: &Demand) -> f64 {
        demand.links.iter().map(|&link| self.offer_of(ratios, link, demand.class)).fold(f64::INFINITY, f64::min)
    }

    /// Is to settle the connections of links that hold back all they have; if there is no such link, those of the one that
    /// offers least.
    fn hold_back(&mut self, ratios: &[f64], demands: &[Demand]) {
        let mut held = std::mem::take(&mut self.held);
        held.clear();
        for &number in &self.open {
            let (demand, most) = (&demands[number], self.offers[number] * (1.0 + SAME));
            let bottlenecks = demand.links.iter().filter(|&&link| self.offer_of(ratios, link, demand.class) <= most);
            held.extend(bottlenecks.map(|&link| (link, number)));
        }
        held.iter().for_each(|(link, _)| self.holds[link.index()] += 1);
        let full = |link: LinkId| {
            let cells = link.index() * self.classes..(link.index() + 1) * self.classes;
            self.unsettled[cells].iter().sum::<u32>() == self.holds[link.index()]
        };
        let mut settling = std::mem::take(&mut self.settling);
        settling.extend(held.iter().filter(|(link, _)| full(*link)).map(|&(_, number)| number));
        if settling.is_empty() {
            let least = held.iter().min_by(|(_, one), (_, other)| self.offers[*one].total_cmp(&self.offers[*other]));
            let link = least.map(|&(link, _)| link);
            settling.extend(held.iter().filter(|&&(held_by, _)| Some(held_by) == link).map(|&(_, number)| number));
        }
        settling.sort_unstable();
        settling.dedup();
        (self.held, self.settling) = (held, settling);
    }

    fn settle(&mut self, demand: &Demand, rate: f64) {
        for &link in demand.links {
            let cell = self.cell(link, demand.class);
            self.unsettled[cell] -= 1;
            self.taken[cell] += rate;
        }
    }

    /// Deals out in equal parts what is left where connections held each other back in a circle: that a class has unequal
    /// numbers of connections on its links allows it. Every round fills a link or contents a connection.
    fn top_up(&mut self, capacities: &[f64], demands: &[Demand]) {
        let Self { links, left, holds: sharing, open, rates, .. } = self;
        for link in links.iter().map(|link| link.index()) {
            left[link] = capacities[link];
        }
        for (demand, rate) in demands.iter().zip(rates.iter()) {
            demand.links.iter().for_each(|link| left[link.index()] -= rate);
        }
        loop {
            let spare = |link: &LinkId| left[link.index()] > SAME * capacities[link.index()];
            let wants = |number: &usize| {
                let demand = &demands[*number];
                rates[*number] < demand.limit && demand.links.iter().all(spare)
            };
            open.clear();
            open.extend((0..demands.len()).filter(wants));
            if open.is_empty() {
                return;
            }
            links.iter().for_each(|link| sharing[link.index()] = 0);
            let hops = || open.iter().flat_map(|&number| demands[number].links).map(|link| link.index());
            hops().for_each(|link| sharing[link] += 1);
            let room = hops().map(|link| left[link] / f64::from(sharing[link]));
            let wanted = open.iter().map(|&number| demands[number].limit - rates[number]);
            let part = room.chain(wanted).fold(f64::INFINITY, f64::min);
            for &number in open.iter() {
                let limit = demands[number].limit;
                rates[number] = if limit - rates[number] <= part { limit } else { rates[number] + part };
                demands[number].links.iter().for_each(|link| left[link.index()] -= part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: f64 = f64::INFINITY;

    fn by_class(classes: usize, demands: &[Demand], rates: &[f64]) -> Vec<f64> {
        let sum =
            |class| demands.iter().zip(rates).filter(|(demand, _)| demand.class == class).map(|(_, rate)| rate).sum();
        (0..classes).map(sum).collect()
    }

    fn shares(capacities: &[f64], ratios: &[f64], demands: &[(usize, &[LinkId], f64)]) -> Vec<f64> {
        let demands: Vec<Demand> =
            demands.iter().map(|&(class, links, limit)| Demand { class, links, limit }).collect();
        by_class(ratios.len(), &demands, Filling::default().fill(capacities, ratios, &demands))
    }

    const ONE: [LinkId; 1] = [LinkId(0)];

    #[test]
    fn at_one_link_shares_follow_the_ratios_however_many_connections_a_class_has() {
        let demands = [(0, &ONE[..], ALL), (1, &ONE, ALL), (1, &ONE, ALL), (2, &ONE, ALL)];
        assert_eq!(shares(&[60.0], &[3.0, 2.0, 1.0], &demands), [30.0, 20.0, 10.0]);
        assert_eq!(shares(&[60.0], &[3.0, 2.0, 1.0], &demands[1..]), [0.0, 40.0, 20.0]);
    }

    #[test]
    fn what_a_class_does_not_ask_for_goes_to_the_others_by_ratio() {
        let demands = [(0, &ONE[..], 6.0), (1, &ONE, ALL), (2, &ONE, ALL)];
        assert_eq!(shares(&[60.0], &[3.0, 2.0, 1.0], &demands), [6.0, 36.0, 18.0]);
    }

    #[test]
    fn what_a_connection_does_not_ask_for_goes_to_its_class_first() {
        let demands = [(0, &ONE[..], 1.0), (0, &ONE, ALL), (1, &ONE, ALL)];
        assert_eq!(shares(&[10.0], &[1.0, 1.0], &demands), [5.0, 5.0]);
    }

    #[test]
    fn a_class_held_back_elsewhere_leaves_its_part_of_a_link() {
        let both = [LinkId(0), LinkId(1)];
        let demands = [(0, &both[..], ALL), (1, &ONE, ALL)];
        assert_eq!(shares(&[60.0, 10.0], &[1.0, 1.0], &demands), [10.0, 50.0]);
    }

    #[test]
    fn an_incast_of_one_class_has_the_whole_link() {
        let demands = [(0, &ONE[..], ALL); 16];
        assert!((shares(&[96.0], &[1.0], &demands)[0] - 96.0).abs() < 1e-9);
    }

    /// Class, path and limit of connections.
    type Owned = Vec<(usize, Vec<LinkId>, f64)>;

    fn network() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Owned)> {
        let limit = prop_oneof![Just(ALL), 0.01..100.0f64];
        let path = prop::sample::subsequence((0..6).map(LinkId).collect::<Vec<_>>(), 1..4);
        let demand = (0usize..4, path, limit);
        (
            prop::collection::vec(1.0..100.0f64, 6),
            prop::collection::vec(0.1..10.0f64, 4),
            prop::collection::vec(demand, 1..40),
        )
    }

    proptest! {
        /// No link carries more than it can, no connection more than it asks for, and every connection that gets less
        /// crosses a link that is full.
        #[test]
        fn nothing_is_exceeded_and_nothing_is_wasted((capacities, ratios, demands) in network()) {
            let demands: Vec<Demand> =
                demands.iter().map(|(class, links, limit)| Demand { class: *class, links, limit: *limit }).collect();
            let mut filling = Filling::default();
            // Nothing is left of an earlier filling.
            filling.fill(&capacities, &ratios, &demands[demands.len() / 2..]);
            let rates = filling.fill(&capacities, &ratios, &demands).to_vec();
            let mut anew = Filling::default();
            prop_assert_eq!(&rates[..], anew.fill(&capacities, &ratios, &demands));
            let mut carried = vec![0.0; capacities.len()];
            for (demand, rate) in demands.iter().zip(&rates) {
                prop_assert!(*rate >= 0.0 && *rate <= demand.limit);
                demand.links.iter().for_each(|link| carried[link.index()] += rate);
            }
            for (carried, capacity) in carried.iter().zip(&capacities) {
                prop_assert!(*carried <= capacity * (1.0 + 1e-6), "{carried} of {capacity}");
            }
            for (demand, rate) in demands.iter().zip(&rates) {
                let full = |link: &LinkId| carried[link.index()] >= capacities[link.index()] * (1.0 - 1e-6);
                prop_assert!(*rate == demand.limit || demand.links.iter().any(full), "{demand:?} gets {rate}");
            }
        }
    }
}
