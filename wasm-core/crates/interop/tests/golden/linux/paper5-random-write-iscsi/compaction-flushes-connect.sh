#!/bin/sh
# Connects an initiator to its storage. Usage: ADDRESS=10.0.0.7 sh compaction-flushes-connect.sh
set -e
: "${ADDRESS:?give the address of h1}"
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o new
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.nr_sessions' -v '3'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.queue_depth' -v '128'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.cmds_max' -v '128'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.iscsi.InitialR2T' -v 'Yes'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.iscsi.ImmediateData' -v 'Yes'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.iscsi.FirstBurstLength' -v '65536'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.session.iscsi.MaxBurstLength' -v '262144'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.conn[0].iscsi.MaxRecvDataSegmentLength' -v '262144'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.conn[0].iscsi.HeaderDigest' -v 'None'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" -o update -n 'node.conn[0].iscsi.DataDigest' -v 'None'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.compaction" -p "$ADDRESS:3260" --login
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o new
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.nr_sessions' -v '3'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.queue_depth' -v '128'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.cmds_max' -v '128'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.iscsi.InitialR2T' -v 'Yes'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.iscsi.ImmediateData' -v 'Yes'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.iscsi.FirstBurstLength' -v '65536'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.session.iscsi.MaxBurstLength' -v '262144'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.conn[0].iscsi.MaxRecvDataSegmentLength' -v '262144'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.conn[0].iscsi.HeaderDigest' -v 'None'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" -o update -n 'node.conn[0].iscsi.DataDigest' -v 'None'
iscsiadm -m node -T "iqn.2026-01.net.example:h1.flushes" -p "$ADDRESS:3261" --login
