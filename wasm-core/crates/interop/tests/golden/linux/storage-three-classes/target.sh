#!/bin/sh
# A target of NVMe-oF: a subsystem for each class, with all devices. Usage: sh target.sh NAME ADDRESS DEVICE...
set -e
name=${1:?name the target as its initiators do, such as h12}
address=${2:?give its address}
shift 2
: "${1:?give its devices, such as /dev/nvme0n1}"
nvmet=${NVMET:-/sys/kernel/config/nvmet}
family=ipv4
case $address in *:*) family=ipv6 ;; esac
# A subsystem, at the port $port.
subsystem() {
    path=$nvmet/subsystems/nqn.2026-01.net.example:$name.$1
    shift
    if [ ! -d "$path" ]; then
        mkdir -p "$path"
        echo 1 > "$path/attr_allow_any_host"
        number=1
        for device in "$@"; do
            mkdir -p "$path/namespaces/$number"
            echo "$device" > "$path/namespaces/$number/device_path"
            echo 1 > "$path/namespaces/$number/enable"
            number=$((number + 1))
        done
    fi
    [ -e "$port/subsystems/${path##*/}" ] || ln -s "$path" "$port/subsystems/"
}

modprobe nvmet-tcp
port=$nvmet/ports/1
mkdir -p "$port"
echo tcp > "$port/addr_trtype"
echo "$family" > "$port/addr_adrfam"
echo "$address" > "$port/addr_traddr"
echo 4420 > "$port/addr_trsvcid"
echo 16384 > "$port/param_inline_data_size"
subsystem high "$@"
subsystem medium "$@"
subsystem low "$@"
