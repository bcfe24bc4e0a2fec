//! Indices into arenas, as types of their own so that one cannot stand for another.

use super::convert::index_u32;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index of a position in the arena, which holds no more than 2^32.
            #[inline]
            pub fn at(position: usize) -> Self {
                Self(index_u32(position))
            }

            /// The position in the arena.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A host or a switch.
    NodeId
);
id!(
    /// One direction of a cable: the output port of one node and the wire to the next.
    LinkId
);
id!(
    /// One connection, data in one direction and acknowledgements in the other.
    FlowId
);
id!(
    /// A traffic class.
    ClassId
);
id!(
    /// One application: what a workload runs on one host, issuing requests to another.
    ApplicationId
);
id!(
    /// The connections between an application's host and the host it issues requests to, one for each direction needed.
    AssociationId
);
id!(
    /// A request that is not done with.
    RequestId
);
id!(
    /// A message on a connection. What it stands for is known to whoever handed it over.
    MessageId
);
id!(
    /// The connections of one class from one host to another.
    PairId
);
