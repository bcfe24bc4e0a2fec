#!/bin/sh
# Arbitration of an NVMe controller: feature 01h. Usage: sh arbitration.sh /dev/nvme0
set -e
device=${1:?name the controller, such as /dev/nvme0}
nvme set-feature "$device" --feature-id=0x01 --value=0x02010000
nvme get-feature "$device" --feature-id=0x01 --human-readable
