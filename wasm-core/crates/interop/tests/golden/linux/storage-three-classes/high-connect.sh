#!/bin/sh
# Connects an initiator to its storage. Usage: ADDRESS=10.0.0.7 sh high-connect.sh
set -e
: "${ADDRESS:?give the address of h12}"
modprobe nvme-tcp
nvme connect --transport=tcp --traddr="$ADDRESS" --trsvcid=4420 \
    --nqn="nqn.2026-01.net.example:h12.high" \
    --nr-io-queues=1 --queue-size=128 \
    --tos=104
