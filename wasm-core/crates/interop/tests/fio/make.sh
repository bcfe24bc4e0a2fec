#!/bin/sh
# Makes what fio writes in every form that the reader must know, with the fio of this machine: `sudo sh make.sh` in this folder.
# The drive is a loop device over a file of 64 MiB: a block device to fio and to the kernel, so that nothing but its speed is unlike
# a drive. It goes as it came; nothing else of the machine is written to.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
cd "$scratch"
truncate -s 64M drive.img
drive=$(losetup --find --show drive.img)
trap 'losetup -d "$drive"; rm -rf "$scratch"' EXIT
# Every block has been written once, so that none is read as a hole.
fio --output=fill.txt --name=fill --filename="$drive" --ioengine=libaio --direct=1 --rw=write --bs=1m
dd if=drive.img of=drive.file bs=1M status=none

# A file of what fio prints; that a job fails is what some of them are about.
make() {
    file=$1
    shift
    fio "$@" > "$here/$file" 2>> errors.txt || true
}
direct="--ioengine=libaio --direct=1"
device="$direct --filename=$drive"
random="--rw=randread --bs=4k"
short="--number_ios=200"

# Jobs of a calibration, one after the other.
cat > calibrate.fio <<JOBS
[global]
ioengine=libaio
direct=1
filename=$drive
time_based
runtime=400ms
stonewall
[read QD 1]
rw=randread
bs=4k
[read QD 16]
rw=randread
bs=4k
iodepth=16
[write QD 1]
rw=randwrite
bs=4k
[mix QD 4]
rw=randrw
rwmixread=70
bs=16k
iodepth=4
JOBS
make calibrate.json --output-format=json+ calibrate.fio
make plain.json --output-format=json $device --name="sequential" --rw=read --bs=128k --iodepth=4
make clones.json --output-format=json+ $device --name="clones" $random --iodepth=2 --numjobs=3 $short
make group.json --output-format=json+ $device --name="group" $random --iodepth=2 --numjobs=3 --group_reporting $short
make rate.json --output-format=json --percentile_list=50:90:99 $device --name="rate" --rw=randrw --bs=4k,16k --rwmixwrite=25 \
    --iodepth=8 --rate_iops=1500,500 --rate_process=poisson $short
make split.json --output-format=json $device --name="split" --rw=randread --bssplit=4k/60:16k/40 $short
make trim.json --output-format=json $device --name="trim" --rw=randtrim --bs=64k $short
make mixed.json --output-format=json --unified_rw_reporting=1 $device --name="mixed" --rw=randrw --bs=4k $short
make total.json --output-format=json --lat_percentiles=1 --clat_percentiles=0 $device --name="total" $random $short
make without.json --output-format=json --gtod_reduce=1 $device --name="without" $random $short

# What tells little of a drive, or nothing.
make file.json --output-format=json $direct --filename=drive.file --name="file" $random $short
make cached.json --output-format=json --ioengine=libaio --direct=0 --filename="$drive" --name="cached" $random $short
make note.json --output-format=json --ioengine=psync --direct=1 --iodepth=8 --filename="$drive" --name="note" $random $short
make null.json --output-format=json --ioengine=null --size=1m --name="null" $random $short
make full.json --output-format=json --ioengine=psync --size=1m --filename=/dev/full --name="full" --rw=write --bs=4k
make together.json --output-format=json $device --name="reader" $random --iodepth=2 --time_based --runtime=200ms \
    --name="writer" --rw=randwrite --bs=4k --time_based --runtime=200ms

# Other forms.
make status.txt --output-format=json --status-interval=1 $device --name="status" $random --time_based --runtime=2
make both.txt --output-format=json,normal $device --name="both" $random $short
make normal.txt $device --name="normal" $random $short
make terse.txt --output-format=terse $device --name="terse" $random $short
fio --server=127.0.0.1,8777 --daemonize=server.pid
printf '[remote]\nioengine=libaio\ndirect=1\nfilename=%s\nrw=randread\nbs=4k\nnumber_ios=200\n' "$drive" > remote.fio
make client.txt --client=127.0.0.1,8777 remote.fio --output-format=json
kill "$(cat server.pid)"

# Logs: every request, means of 50 ms, maxima with the newer columns, and histograms.
log="$device --name=log --rw=randrw --bs=4k --rate_iops=500"
make log.out $log --runtime=200ms --time_based --write_lat_log=every --write_bw_log=every --write_iops_log=every
make mean.json --output-format=json+ $log --runtime=500ms --time_based --write_lat_log=mean --write_bw_log=mean --write_iops_log=mean \
    --log_avg_msec=50 --write_hist_log=mean --log_hist_msec=50 --log_hist_coarseness=3
make log.out $log --runtime=500ms --time_based --write_lat_log=max --log_avg_msec=50 --log_max_value=1 --log_offset=1 --log_prio=1 \
    --log_unix_epoch=1
make log.out $device --name=iolog --rw=randrw --bs=4k --number_ios=40 --write_iolog=v3.iolog
mv every_clat.1.log every_bw.1.log every_iops.1.log mean_clat.1.log mean_bw.1.log mean_iops.1.log mean_clat_hist.1.log max_clat.1.log \
    v3.iolog "$here"
rm "$here/log.out"
