#!/bin/sh
# DCQCN, trust and priorities of an mlx5 card. Usage: sh roce.sh eth0
set -e
port=${1:?name the network interface, such as eth0}
ecn=/sys/class/net/$port/ecn
echo 1 > $ecn/roce_np/enable/3
echo 1 > $ecn/roce_rp/enable/3
echo 1020 > $ecn/roce_rp/dce_tcp_g
echo 50 > $ecn/roce_np/min_time_between_cnps
echo 50 > $ecn/roce_rp/rate_reduce_monitor_period
echo 55 > $ecn/roce_rp/dce_tcp_rtt
echo 55 > $ecn/roce_rp/rpg_time_reset
echo 5 > $ecn/roce_rp/rpg_threshold
echo 40 > $ecn/roce_rp/rpg_ai_rate
echo 400 > $ecn/roce_rp/rpg_hai_rate
echo 10 > $ecn/roce_rp/rpg_min_rate
echo 1 > $ecn/roce_rp/clamp_tgt_rate
mlnx_qos -i "$port" --trust dscp
mlnx_qos -i "$port" --dscp2prio set,26,3
mlnx_qos -i "$port" --pfc 0,0,0,1,0,0,0,0
