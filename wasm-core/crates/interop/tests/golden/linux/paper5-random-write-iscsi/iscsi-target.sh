#!/bin/sh
# A target of iSCSI: one for each class, with all devices. Usage: sh iscsi-target.sh NAME ADDRESS DEVICE...
set -e
name=${1:?name the target as its initiators do, such as h1}
address=${2:?give its address}
shift 2
: "${1:?give its devices, such as /dev/nvme0n1}"
targetcli set global auto_add_default_portal=false
number=1
for device in "$@"; do
    targetcli /backstores/block create name="qoscope-$number" dev="$device"
    number=$((number + 1))
done
# The target of a class, at a port of its own.
target() {
    name_of_class=iqn.2026-01.net.example:$name.$1
    port=$2
    shift 2
    targetcli /iscsi create "$name_of_class"
    group=/iscsi/$name_of_class/tpg1
    targetcli "$group/portals" create "$address" "$port"
    number=1
    for device in "$@"; do
        targetcli "$group/luns" create "/backstores/block/qoscope-$number"
        number=$((number + 1))
    done
    targetcli "$group" set attribute authentication=0 generate_node_acls=1 demo_mode_write_protect=0
    targetcli "$group" set parameter InitialR2T=Yes
    targetcli "$group" set parameter ImmediateData=Yes
    targetcli "$group" set parameter FirstBurstLength=65536
    targetcli "$group" set parameter MaxBurstLength=262144
    targetcli "$group" set parameter MaxRecvDataSegmentLength=262144
    targetcli "$group" set parameter HeaderDigest=None
    targetcli "$group" set parameter DataDigest=None
}
target compaction 3260 "$@"
target flushes 3261 "$@"
targetcli saveconfig
