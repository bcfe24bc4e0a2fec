#!/bin/sh
# Ports of a Linux box that switches: bands, marking and buffers. Usage: sh switch.sh PORT...
set -e
: "${1:?name its ports, such as eth1 eth2}"
rate=${RATE:-34000Mbit}
# A queue: its limit in bytes, and where it stands.
queue() {
    limit=$1
    shift
    tc qdisc add dev "$port" "$@" red limit "$limit" \
        min 52500 max 52501 \
        avpkt 1500 burst 35 \
        probability 1 \
        bandwidth "$rate" ecn nodrop
}
for port in "$@"; do
    tc qdisc del dev "$port" root 2> /dev/null || true
    tc qdisc add dev "$port" root handle 1: ets bands 3 quanta 4500 3000 1500
    queue 6000000 parent 1:1 handle 11:
    queue 6000000 parent 1:2 handle 12:
    queue 6000000 parent 1:3 handle 13:
    tc filter add dev "$port" parent 1: protocol ip prio 1 u32 match ip dsfield 0x68 0xfc classid 1:1
    tc filter add dev "$port" parent 1: protocol ipv6 prio 2 u32 match ip6 priority 0x68 0xfc classid 1:1
    tc filter add dev "$port" parent 1: protocol ip prio 1 u32 match ip dsfield 0x48 0xfc classid 1:2
    tc filter add dev "$port" parent 1: protocol ipv6 prio 2 u32 match ip6 priority 0x48 0xfc classid 1:2
    tc filter add dev "$port" parent 1: protocol ip prio 1 u32 match ip dsfield 0x28 0xfc classid 1:3
    tc filter add dev "$port" parent 1: protocol ipv6 prio 2 u32 match ip6 priority 0x28 0xfc classid 1:3
done
