//! The paths of all connections, and where on them a packet goes next.
//!
//! A packet knows how many links of its path it has travelled. A connection that changes its path while packets are under
//! way keeps the paths it had, one behind the other, and a packet begins at the place of the one in force: those that are
//! under way go on as they began.

use std::collections::BTreeMap;

use crate::kernel::convert::{byte, index_u32, short};
use crate::kernel::ids::{FlowId, LinkId};
use crate::network::packet::{ACK, Packet};

/// End of a path.
const END: u16 = u16::MAX;
/// Places that a packet can count, of all paths that a connection has had.
const PLACES: usize = 256;
/// Most links of a path.
pub const MAX_PATH: usize = PLACES - 2;

/// The two ways of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// That of its data.
    Data,
    /// That of its acknowledgements.
    Acknowledgements,
}

/// Source routes of all connections.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// Link numbers of all paths, each closed by [`END`].
    hops: Vec<u16>,
    /// By connection and way: where in `hops` its paths begin.
    starts: Vec<[u32; 2]>,
    /// By connection and way that has had several paths: how many places they take, and where the one in force begins.
    changed: BTreeMap<(u32, Way), Several>,
}

#[derive(Clone, Copy, Debug)]
struct Several {
    places: usize,
    first: u8,
}

impl Routes {
    /// Adds a connection with the path of its data and that of its acknowledgements. Neither may be empty, or longer than
    /// [`MAX_PATH`].
    pub fn add(&mut self, data: &[LinkId], acknowledgements: &[LinkId]) -> FlowId {
        let flow = FlowId::at(self.starts.len());
        let starts = [data, acknowledgements].map(|path| {
            let start = index_u32(self.hops.len());
            self.hops.extend(places(path));
            start
        });
        self.starts.push(starts);
        flow
    }

    /// The link that a packet takes next.
    #[inline]
    pub fn next(&self, packet: &Packet) -> u16 {
        let start = self.starts[packet.flow as usize][usize::from(packet.has(ACK))];
        self.hops[start as usize + usize::from(packet.hop)]
    }

    /// Whether some packet begins elsewhere than at the first place.
    #[inline]
    pub fn have_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Where on its way a packet that is sent now begins.
    pub fn first(&self, packet: &Packet) -> u8 {
        let way = if packet.has(ACK) { Way::Acknowledgements } else { Way::Data };
        self.changed.get(&(packet.flow, way)).map_or(0, |several| several.first)
    }

    /// Packets that a connection sends from now on take another path. Returns whether there was room: a connection that has
    /// had too many keeps the one it has.
    pub fn change(&mut self, flow: FlowId, way: Way, path: &[LinkId]) -> bool {
        let start = &mut self.starts[flow.index()][way as usize];
        let begin = *start as usize;
        let first_path = || self.hops[begin..].iter().take_while(|&&hop| hop != END).count() + 1;
        let known = self.changed.get(&(flow.0, way)).map_or_else(first_path, |several| several.places);
        let wanted: Vec<u16> = places(path).collect();
        let paths = &self.hops[begin..begin + known];
        let found = paths.windows(wanted.len()).position(|window| window == wanted);
        if let Some(first) = found.filter(|&first| first == 0 || paths[first - 1] == END) {
            self.changed.insert((flow.0, way), Several { places: known, first: byte(index_u32(first)) });
            return true;
        }
        if known + wanted.len() > PLACES {
            return false;
        }
        *start = index_u32(self.hops.len());
        self.hops.extend_from_within(begin..begin + known);
        self.hops.extend(&wanted);
        let several = Several { places: known + wanted.len(), first: byte(index_u32(known)) };
        self.changed.insert((flow.0, way), several);
        true
    }
}

fn places(path: &[LinkId]) -> impl Iterator<Item = u16> {
    path.iter().map(|link| short(link.0)).chain([END])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(links: &[u32]) -> Vec<LinkId> {
        links.iter().map(|&link| LinkId(link)).collect()
    }

    /// The links that a packet of connection 0 takes that is sent now.
    fn travelled(routes: &Routes, flags: u8) -> Vec<u16> {
        let mut packet = Packet { flags, ..Packet::default() };
        packet.hop = routes.first(&packet);
        let next = |packet: &mut Packet| {
            let link = routes.next(packet);
            packet.hop += 1;
            (link != END).then_some(link)
        };
        std::iter::from_fn(|| next(&mut packet)).collect()
    }

    #[test]
    fn packets_under_way_go_on_as_they_began() {
        let mut routes = Routes::default();
        let flow = routes.add(&path(&[1, 2, 3]), &path(&[4, 5]));
        routes.add(&path(&[9]), &path(&[8]));
        let mut under_way = Packet { hop: 1, ..Packet::default() };
        assert!(routes.change(flow, Way::Data, &path(&[1, 7, 6, 3])));
        assert_eq!(travelled(&routes, 0), [1, 7, 6, 3]);
        assert_eq!(travelled(&routes, ACK), [4, 5]);
        assert_eq!(routes.next(&under_way), 2);
        assert!(routes.change(flow, Way::Data, &path(&[1, 2, 3])));
        assert_eq!(travelled(&routes, 0), [1, 2, 3]);
        under_way.hop = 2;
        assert_eq!(routes.next(&under_way), 3);
        assert_eq!(routes.next(&Packet { flow: 1, ..Packet::default() }), 9);
    }

    #[test]
    fn a_path_that_is_the_end_of_another_is_not_taken_for_it() {
        let mut routes = Routes::default();
        let flow = routes.add(&path(&[1, 2, 3]), &path(&[4]));
        assert!(routes.change(flow, Way::Data, &path(&[2, 3])));
        assert_eq!(routes.first(&Packet::default()), 4);
    }

    #[test]
    fn paths_come_and_go_without_end_but_not_without_bound() {
        let mut routes = Routes::default();
        let flow = routes.add(&path(&[0, 1]), &path(&[0]));
        for turn in 0..1000 {
            assert!(routes.change(flow, Way::Data, &path(&[0, 2 + turn % 50])));
        }
        let places = routes.hops.len();
        assert!((100..200).any(|link| !routes.change(flow, Way::Data, &path(&[0, link]))));
        assert!(routes.hops.len() < places + 40 * PLACES);
        assert!(travelled(&routes, 0).len() == 2);
    }
}
