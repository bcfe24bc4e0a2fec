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

/// The rate of every connection. `capacities` are by link, `ratios` by class.
///
/// Progressive filling: connections that ask for no more than all their links offer are settled first; then those of links
/// that hold back every connection they still have. Each leaves what it does not take to the others of its class, and
/// those of its class to the other classes.
pub fn fair_rates(capacities: &[f64], ratios: &[f64], demands: &[Demand]) -> Vec<f64> {
    let mut links: Vec<usize> = demands.iter().flat_map(|demand| demand.links).map(|link| link.index()).collect();
    links.sort_unstable();
    links.dedup();
    let mut filling = Filling::new(capacities, ratios);
    for demand in demands {
        for &link in demand.links {
            let cell = filling.cell(link, demand.class);
            filling.unsettled[cell] += 1;
        }
    }
    let mut rates = vec![0.0; demands.len()];
    let mut open: Vec<usize> = (0..demands.len()).collect();
    let mut offers = vec![0.0; demands.len()];
    while !open.is_empty() {
        filling.split(&links);
        for &number in &open {
            offers[number] = filling.offer(&demands[number]);
        }
        let content = |number: &usize| demands[*number].limit <= offers[*number];
        let settled: Vec<usize> = match open.iter().any(content) {
            true => open.iter().copied().filter(content).collect(),
            false => filling.held_back(&open, demands, &offers),
        };
        for &number in &settled {
            rates[number] = offers[number].min(demands[number].limit);
            filling.settle(&demands[number], rates[number]);
        }
        open.retain(|number| settled.binary_search(number).is_err());
    }
    top_up(capacities, demands, &mut rates);
    rates
}

/// Deals out in equal parts what is left where connections held each other back in a circle: that a class has unequal
/// numbers of connections on its links allows it. Every round fills a link or contents a connection.
fn top_up(capacities: &[f64], demands: &[Demand], rates: &mut [f64]) {
    let mut left = capacities.to_vec();
    for (demand, rate) in demands.iter().zip(rates.iter()) {
        demand.links.iter().for_each(|link| left[link.index()] -= rate);
    }
    loop {
        let spare = |link: &LinkId| left[link.index()] > SAME * capacities[link.index()];
        let wants = |number: &usize| {
            let demand = &demands[*number];
            rates[*number] < demand.limit && demand.links.iter().all(spare)
        };
        let open: Vec<usize> = (0..demands.len()).filter(wants).collect();
        if open.is_empty() {
            return;
        }
        let mut sharing = vec![0.0; capacities.len()];
        let links = || open.iter().flat_map(|&number| demands[number].links);
        links().for_each(|link| sharing[link.index()] += 1.0);
        let room = links().map(|link| left[link.index()] / sharing[link.index()]);
        let wanted = open.iter().map(|&number| demands[number].limit - rates[number]);
        let part = room.chain(wanted).fold(f64::INFINITY, f64::min);
        for &number in &open {
            let limit = demands[number].limit;
            rates[number] = if limit - rates[number] <= part { limit } else { rates[number] + part };
            demands[number].links.iter().for_each(|link| left[link.index()] -= part);
        }
    }
}

/// What is known of links and classes while connections are settled.
struct Filling<'a> {
    capacities: &'a [f64],
    ratios: &'a [f64],
    /// By link and class: connections that are not settled.
    unsettled: Vec<u32>,
    /// By link and class: what those take that are.
    taken: Vec<f64>,
    /// By link: what the classes that are not settled share, per unit of their ratios.
    unit: Vec<f64>,
    /// By link: connections that it holds back.
    holds: Vec<u32>,
}

impl<'a> Filling<'a> {
    fn new(capacities: &'a [f64], ratios: &'a [f64]) -> Self {
        let cells = capacities.len() * ratios.len();
        Self {
            capacities,
            ratios,
            unsettled: vec![0; cells],
            taken: vec![0.0; cells],
            unit: vec![0.0; capacities.len()],
            holds: vec![0; capacities.len()],
        }
    }

    fn cell(&self, link: LinkId, class: usize) -> usize {
        link.index() * self.ratios.len() + class
    }

    /// Splits what the settled classes leave of each link among the others.
    fn split(&mut self, links: &[usize]) {
        for &link in links {
            let first = link * self.ratios.len();
            let (mut pool, mut ratios) = (self.capacities[link], 0.0);
            for (class, ratio) in self.ratios.iter().enumerate() {
                if self.unsettled[first + class] > 0 {
                    ratios += ratio;
                } else {
                    pool -= self.taken[first + class];
                }
            }
            self.unit[link] = pool / ratios;
            self.holds[link] = 0;
        }
    }

    /// What a link offers to each connection of a class that is not settled.
    fn offer_of(&self, link: LinkId, class: usize) -> f64 {
        let cell = self.cell(link, class);
        (self.unit[link.index()] * self.ratios[class] - self.taken[cell]).max(0.0) / f64::from(self.unsettled[cell])
    }

    /// The least that a link of its path offers to a connection.
    fn offer(&self, demand: &Demand) -> f64 {
        demand.links.iter().map(|&link| self.offer_of(link, demand.class)).fold(f64::INFINITY, f64::min)
    }

    /// The links that offer a connection no more than `offer`.
    fn bottlenecks(&self, demand: &'a Demand, offer: f64) -> impl Iterator<Item = LinkId> {
        let links = demand.links.iter().copied();
        links.filter(move |&link| self.offer_of(link, demand.class) <= offer * (1.0 + SAME))
    }

    /// The connections of links that hold back all they have; if there is no such link, those of the one that offers least.
    fn held_back(&mut self, open: &[usize], demands: &[Demand], offers: &[f64]) -> Vec<usize> {
        let mut held = Vec::new();
        for &number in open {
            held.extend(self.bottlenecks(&demands[number], offers[number]).map(|link| (link, number)));
        }
        held.iter().for_each(|(link, _)| self.holds[link.index()] += 1);
        let classes = self.ratios.len();
        let full = |link: LinkId| {
            let cells = link.index() * classes..(link.index() + 1) * classes;
            self.unsettled[cells].iter().sum::<u32>() == self.holds[link.index()]
        };
        let mut settled: Vec<usize> = held.iter().filter(|(link, _)| full(*link)).map(|&(_, number)| number).collect();
        if settled.is_empty() {
            let least = held.iter().min_by(|(_, one), (_, other)| offers[*one].total_cmp(&offers[*other]));
            let link = least.map(|&(link, _)| link);
            settled = held.iter().filter(|&&(held_by, _)| Some(held_by) == link).map(|&(_, number)| number).collect();
        }
        settled.sort_unstable();
        settled.dedup();
        settled
    }

    fn settle(&mut self, demand: &Demand, rate: f64) {
        for &link in demand.links {
            let cell = self.cell(link, demand.class);
            self.unsettled[cell] -= 1;
            self.taken[cell] += rate;
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
        by_class(ratios.len(), &demands, &fair_rates(capacities, ratios, &demands))
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
            let rates = fair_rates(&capacities, &ratios, &demands);
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
