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
        min 210000 max 210001 \
        avpkt 1500 burst 140 \
        probability 1 \
        bandwidth "$rate" ecn nodrop
}
for port in "$@"; do
    tc qdisc del dev "$port" root 2> /dev/null || true
    queue 6000000 root handle 1:
done
