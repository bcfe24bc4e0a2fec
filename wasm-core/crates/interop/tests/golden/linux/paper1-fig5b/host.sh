#!/bin/sh
# A host over RDMA: its MTU. Usage: sh host.sh DEVICE
set -e
device=${1:?name the network interface, such as eth0}
ip link set dev "$device" mtu 1500
