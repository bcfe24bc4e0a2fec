//! The two ends of a connection over RDMA (RoCEv2): packets paced at a rate, each acknowledged, lost ones found by
//! go-back-N, congestion told by notification packets (CNPs) or by the acknowledgements themselves.
//!
//! Answers and notifications travel at the highest priority where ports tell priorities apart.

use crate::kernel::convert::modulo_u32;
use crate::network::packet::{CE, CNP_OR_NACK, ECE, Packet};
use crate::qos::quality::ClassShare;
use crate::transport::controller::Reports;
use crate::transport::controllers::Control;
use crate::transport::pace::Pace;
use crate::transport::receiver::{AckAction, CnpState, Receiver};
use crate::transport::sender::{Answer, Sender};

/// A packet has arrived. `send` takes the notification and the acknowledgement, or request to go back, that it is answered
/// with.
#[inline]
pub fn on_data(
    now_ps: u64,
    packet: Packet,
    receiver: &mut Receiver,
    cnp: &mut CnpState,
    reports: Option<Reports>,
    mut send: impl FnMut(Packet),
) {
    let start = receiver.position(packet.sequence);
    let action = receiver.on_paced_data(now_ps, start, packet.length, cnp);
    let (next, flags) = (modulo_u32(receiver.next), receiver.ack_flags);
    let answer = |flags| Packet { flow: packet.flow, sequence: next, sack: packet.sack, flags, ..Packet::default() };
    let mut echo = 0;
    if packet.has(CE) {
        match reports {
            Some(Reports::Notifications { interval_ps }) if cnp.notifies(now_ps, interval_ps) => {
                send(answer(flags | CNP_OR_NACK | ECE));
            }
            Some(Reports::Echo) => echo = ECE,
            Some(Reports::Notifications { .. }) | None => {}
        }
    }
    match action {
        AckAction::Acknowledge => send(answer(flags | echo)),
        AckAction::GoBack => send(answer(flags | CNP_OR_NACK)),
        AckAction::Silence => {}
    }
}

/// An acknowledgement or a request to go back has arrived. Returns whether silence is to be counted from now on.
#[inline]
pub fn on_ack(
    now_ps: u64,
    packet: Packet,
    share: ClassShare,
    sender: &mut Sender,
    pace: &mut Pace,
    control: &Control,
) -> bool {
    let position = sender.position(packet.sequence);
    let advances = position > sender.unacknowledged;
    let rtt_ps = pace.times.on_answered(now_ps, sender.number(packet.sack));
    let answer = Answer { now_ps, position, marked: packet.has(ECE), rtt_ps, share };
    sender.on_paced_ack(&answer, control);
    let goes_back = packet.has(CNP_OR_NACK) && sender.next > sender.unacknowledged;
    if goes_back {
        sender.go_back();
    }
    advances || goes_back
}
