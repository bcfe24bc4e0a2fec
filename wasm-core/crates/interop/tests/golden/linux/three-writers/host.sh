#!/bin/sh
# A host: congestion control, MTU and the route to its peers. Usage: sh host.sh DEVICE NETWORK [via GATEWAY]
set -e
device=${1:?name the network interface, such as eth0}
network=${2:?name the network of its peers, such as 10.0.0.0/24}
shift 2
ip link set dev "$device" mtu 1500
modprobe tcp_dctcp
echo 4 > /sys/module/tcp_dctcp/parameters/dctcp_shift_g
sysctl -w net.ipv4.tcp_congestion_control=dctcp
sysctl -w net.ipv4.tcp_ecn=1
sysctl -w net.ipv4.tcp_timestamps=1
for queue in /sys/class/net/"$device"/queues/tx-*; do echo 24000 > "$queue/byte_queue_limits/limit_max"; done
ip route replace "$network" "$@" dev "$device" \
    initcwnd 10 \
    cwnd lock 11000 \
    rto_min 10ms
