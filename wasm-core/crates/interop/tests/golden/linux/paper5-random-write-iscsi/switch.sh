#!/bin/sh
# Ports of a Linux box that switches: bands, marking and buffers. Usage: sh switch.sh PORT...
set -e
: "${1:?name its ports, such as eth1 eth2}"
rate=${RATE:-25000Mbit}
# A queue: its limit in bytes, and where it stands.
queue() {
    limit=$1
    shift
    tc qdisc add dev "$port" "$@" red limit "$limit" \
        min 1260000 max 1260001 \
        avpkt 9000 burst 140 \
        probability 1 \
        bandwidth "$rate" ecn nodrop
}
for port in "$@"; do
    tc qdisc del dev "$port" root 2> /dev/null || true
    queue 36000000 root handle 1:
done
