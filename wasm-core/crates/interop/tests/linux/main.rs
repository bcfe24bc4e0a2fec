//! Whether Linux takes what is written for it: scripts are run with stand-ins for the programs that they call, and every call is held against the
//! program itself where it is here, and against its rules anywhere.

#[path = "../scenarios/mod.rs"]
mod scenarios;
mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::{env, fs};

use qoscope_interop::{How, Target, export};
use scenarios::{all, scenario};
use stage::{Stage, after, calls, exports, files, in_own_network, number, output};

#[test]
fn shells_read_every_script() {
    let mut seen = 0;
    for target in Target::ALL {
        for (name, scenario) in all() {
            let Ok(export) = export(&scenario, target) else { continue };
            for file in export.files.iter().filter(|file| file.name.ends_with(".sh")) {
                // Those of Linux are run by the other tests here, each once.
                if target == Target::Linux && name != "three-writers" {
                    continue;
                }
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("script.sh");
                fs::write(&path, &file.text).expect("a script");
                let said = Command::new("sh").arg("-n").arg(&path).output().expect("a shell");
                assert!(said.status.success(), "{name}, {}: {}", file.name, String::from_utf8_lossy(&said.stderr));
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen} scripts");
}

/// How tc makes parameters of RED of what it is given (iproute2, tc/tc_red.c): the logarithms of the weight of the average and of the probability.
fn red_of_tc(call: &[String]) -> (Option<u32>, Option<u32>) {
    let (min, max) = (number(call, "min"), number(call, "max"));
    let (packet, burst, probability) = (number(call, "avpkt"), number(call, "burst"), number(call, "probability"));
    let ahead = burst + 1.0 - min / packet;
    let fits = |log: &u32| {
        let weight = libm::exp2(-f64::from(*log));
        ahead <= (1.0 - libm::pow(1.0 - weight, burst)) / weight
    };
    let weight = (ahead >= 1.0).then(|| (1..32).find(fits)).flatten();
    let per_byte = probability / (max - min);
    (weight, (0..32).find(|log: &u32| per_byte * libm::exp2(f64::from(*log)) > 1.0))
}

#[test]
fn switches_mark_as_they_are_meant_to() {
    let calls = calls("tc", "switch.sh");
    let red: Vec<&Vec<String>> = calls.keys().filter(|call| call.contains(&"red".to_owned())).collect();
    assert!(red.len() > 20, "{} queues mark", red.len());
    for call in red {
        let (weight, probability) = red_of_tc(call);
        assert_eq!(weight, Some(1), "the average is over more than two packets, or tc refuses it: {call:?}");
        assert!(probability.is_some(), "tc cannot write the probability: {call:?}");
        assert!(number(call, "min") < number(call, "max") && number(call, "max") < f64::from(1 << 30), "{call:?}");
        assert!(number(call, "limit") <= f64::from(u32::MAX), "{call:?}");
    }
    for (call, what) in &calls {
        // Turns of bands stand in the order of the bands, after the strict ones.
        if let Some(at) = call.iter().position(|word| word == "quanta") {
            let turns: Vec<u32> = call[at + 1..].iter().map(|turn| turn.parse().expect("32 bits")).collect();
            let strict = after(call, "strict").map_or(0, |strict| strict.parse().expect("a number"));
            assert_eq!((turns.len() + strict) as f64, number(call, "bands"), "{what}");
            assert!(turns.iter().all(|turn| *turn > 0), "{what}: {turns:?}");
        }
    }
}

/// The kernel of whoever runs this may lack what scripts ask of it: these are its words, not those of tc and ip, which have read the command by then.
const REFUSALS: [&str; 8] = [
    "Error: Specified qdisc kind is unknown.",
    "Error: Specified class not found.",
    "Error: Specified qdisc not found.",
    "Error: Parent Qdisc doesn't exists.",
    "Error: Failed to find specified qdisc.",
    "Error: Cannot delete qdisc with handle of zero.",
    "Error: Unknown tcp congestion algorithm.",
    "We have an error talking to the kernel",
];

/// Calls of tc and ip, on a network of their own. `lo` stands for every port and interface.
#[test]
fn tc_and_ip_read_every_command() {
    let mut commands = calls("tc", "switch.sh");
    commands.extend(calls("ip", "host.sh"));
    commands.extend(calls("ip", "hosts.sh"));
    assert!(commands.len() > 60, "{} commands", commands.len());
    if output(Command::new("tc").arg("-V")).is_none() || output(Command::new("ip").arg("-V")).is_none() {
        return;
    }
    let Some(way) = in_own_network() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("all.sh");
    let mut text = String::from("ip link set lo up\n");
    for call in commands.keys() {
        let words: Vec<String> =
            call.iter().map(|word| format!("'{}'", if word == "eth0" { "lo" } else { word })).collect();
        let words = words.join(" ");
        if call.contains(&"root".to_owned()) {
            text.push_str("tc qdisc del dev lo root 2> /dev/null\n");
        }
        text.push_str(&format!(
            "said=$({words} 2>&1) || printf '%s\\n' \"$said\" | sed \"s|^|{}: |\"\n",
            call.join(" ")
        ));
    }
    fs::write(&script, text).expect("a script");
    let said = Command::new(way[0]).args(&way[1..]).arg("sh").arg(&script).output().expect("a shell");
    let said = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    let unknown: Vec<&str> =
        said.lines().filter(|line| !REFUSALS.iter().any(|known| line.ends_with(&format!(": {known}")))).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    // What the same programs say of commands that are wrong is none of these.
    for wrong in [
        "tc qdisc add dev lo root red limit 1 min 9 max 1 avpkt 1 burst 1",
        "ip route replace 10.0.0.0/24 dev lo rto_min 1us",
    ] {
        let said = Command::new(way[0]).args(&way[1..]).args(wrong.split(' ')).output().expect("a command");
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(!said.is_empty() && !said.lines().any(|line| REFUSALS.contains(&line)), "{wrong}: {said}");
    }
}

#[test]
fn routes_and_settings_are_within_what_kernels_take() {
    let stage = Stage::new();
    let (mut routes, mut gains) = (0, BTreeSet::new());
    for (what, file) in files("host.sh").into_iter().chain(files("hosts.sh")) {
        for call in stage.run(&what, &file.text) {
            match call[0].as_str() {
                "sysctl" => {
                    let (name, value) = call[2].split_once('=').expect("a value");
                    let good = match name {
                        "net.ipv4.tcp_congestion_control" => value == "dctcp",
                        "net.ipv4.tcp_ecn" => value == "1",
                        "net.ipv4.tcp_timestamps" => value == "0" || value == "1",
                        _ => false,
                    };
                    assert!(good, "{what}: {call:?}");
                }
                "ip" if call[1] == "route" => {
                    routes += 1;
                    assert!(number(&call, "initcwnd") >= 1.0 && number(&call, "lock") >= 2.0, "{what}: {call:?}");
                    assert!(number(&call, "rto_min") >= 1.0, "{what}: {call:?}");
                }
                "ip" => assert!((68.0..=65_535.0).contains(&number(&call, "mtu")), "{what}: {call:?}"),
                "modprobe" => assert_eq!(call[1], "tcp_dctcp", "{what}"),
                other => panic!("{what}: {other}"),
            }
        }
        let written = stage.path("sys/module/tcp_dctcp/parameters/dctcp_shift_g");
        if file.text.contains("dctcp_shift_g") {
            let shift: u32 = fs::read_to_string(&written).expect("a gain").trim().parse().expect("a number");
            assert!(shift <= 10, "{what}: {shift}");
            gains.insert(shift);
        }
        if file.text.contains("limit_max") {
            let limit = stage.path("sys/class/net/eth0/queues/tx-0/byte_queue_limits/limit_max");
            let bytes: u32 = fs::read_to_string(limit).expect("a limit").trim().parse().expect("32 bits");
            assert!(bytes > 0, "{what}");
        }
    }
    assert!(routes > 5 && gains.len() > 1, "{routes} routes, gains {gains:?}");
}

#[test]
fn congestion_control_is_of_the_route_where_hosts_have_several() {
    let (name, export) = exports()
        .iter()
        .find(|(_, export)| {
            export.files.iter().any(|file| file.name == "mixed-hosts.sh" || file.name == "tcp-hosts.sh")
        })
        .expect("a scenario has DCTCP and Swift");
    let of = |wanted: &str| export.files.iter().find(|file| file.name == wanted).map_or("", |file| file.text.as_str());
    // The receiver of all three writers has both; who sends over Swift alone has no DCTCP, and who sends over DCTCP alone has it always.
    assert!(of("mixed-hosts.sh").contains("congctl dctcp features ecn"), "{name}");
    assert!(!of("mixed-hosts.sh").contains("tcp_congestion_control"), "{name}");
    assert!(!of("tcp-hosts.sh").contains("dctcp") && of("tcp-hosts.sh").contains("initcwnd"), "{name}");
    assert!(of("dctcp-hosts.sh").contains("tcp_congestion_control=dctcp"), "{name}");
}

#[test]
fn nft_reads_every_ruleset() {
    let rulesets = files(".nft");
    assert!(rulesets.len() > 5, "{} rulesets", rulesets.len());
    for (what, file) in &rulesets {
        for line in file.text.lines().filter(|line| line.contains(" dscp set ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert!(
                matches!(words[1], "dport" | "sport") && matches!(words[words.len() - 4], "ip" | "ip6"),
                "{what}: {line}"
            );
            assert!(words[words.len() - 1].parse::<u8>().is_ok_and(|code| code < 64), "{what}: {line}");
        }
    }
    if output(Command::new("nft").arg("--version")).is_none() {
        return;
    }
    let Some(way) = in_own_network() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dscp.nft");
    let check = |text: &str| {
        fs::write(&path, text).expect("a ruleset");
        Command::new(way[0]).args(&way[1..]).args(["nft", "-c", "-f"]).arg(&path).output().expect("nft")
    };
    for (what, file) in rulesets {
        let said = check(&file.text);
        assert!(said.status.success(), "{what}: {}", String::from_utf8_lossy(&said.stderr));
        assert!(!check(&file.text.replace("dscp set ", "dscp set 9")).status.success(), "{what}: nft takes anything");
    }
}

/// Options of `nvme connect`, with whether they take a value, as nvme-cli has them.
const CONNECT: [(&str, bool); 10] = [
    ("--transport", true),
    ("--traddr", true),
    ("--trsvcid", true),
    ("--nqn", true),
    ("--nr-io-queues", true),
    ("--queue-size", true),
    ("--tos", true),
    ("--hdr-digest", false),
    ("--data-digest", false),
    ("--disable-sqflow", false),
];

#[test]
fn nvme_connects_by_options_that_it_has() {
    let help = output(Command::new("nvme").args(["connect", "--help"]));
    let help =
        help.map(|said| format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr)));
    let mut used = BTreeSet::new();
    for (call, what) in calls("nvme", "connect.sh") {
        assert_eq!(call[1], "connect", "{what}");
        for word in &call[2..] {
            let (option, value) =
                word.split_once('=').map_or((word.as_str(), None), |(option, value)| (option, Some(value)));
            let known = CONNECT.into_iter().find(|(own, _)| *own == option);
            let (known, valued) = known.unwrap_or_else(|| panic!("{what}: {option}"));
            assert_eq!(valued, value.is_some_and(|value| !value.is_empty()), "{what}: {word}");
            if let Some(help) = &help {
                let there = if valued { format!("{option}=<") } else { format!("{option},") };
                assert!(help.contains(&there), "{option} is no option of nvme connect");
            }
            let number = || value.and_then(|value| value.parse::<u32>().ok()).unwrap_or_default();
            match option {
                "--transport" => assert!(matches!(value, Some("tcp" | "rdma")), "{what}: {word}"),
                // drivers/nvme/host/fabrics.h
                "--queue-size" => assert!((16..=1024).contains(&number()), "{what}: {word}"),
                "--tos" => assert!(number() < 256 && number().is_multiple_of(4), "{what}: {word}"),
                "--nr-io-queues" => assert!(number() > 0, "{what}: {word}"),
                // NVM Express Base Specification 2.0, section 4.5: date, reversed domain, and at most 223 bytes.
                "--nqn" => {
                    let name = value.unwrap_or_default();
                    assert!(name.starts_with("nqn.2026-01.net.example:h") && name.len() <= 223, "{what}: {name}");
                    assert!(
                        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:".contains(c)),
                        "{name}"
                    );
                }
                _ => {}
            }
            used.insert(known);
        }
    }
    assert_eq!(used.len(), CONNECT.len(), "{used:?}");
}

/// Attributes of Linux's target that scripts write (drivers/nvme/target/configfs.c), and whether a value is one of theirs.
fn is_of_nvmet(attribute: &str, value: &str) -> bool {
    match attribute {
        "attr_allow_any_host" | "enable" => value == "1",
        "device_path" => value.starts_with("/dev/"),
        "addr_trtype" => matches!(value, "tcp" | "rdma"),
        "addr_adrfam" => matches!(value, "ipv4" | "ipv6"),
        "addr_traddr" => value == "10.0.0.7",
        "addr_trsvcid" => value == "4420",
        "param_inline_data_size" => value.parse::<u32>().is_ok(),
        _ => false,
    }
}

/// Runs scripts of targets on a folder, and looks at what they left in it.
#[test]
fn targets_write_attributes_that_linux_has() {
    let mut seen = BTreeSet::new();
    for (what, file) in files("target.sh").into_iter().filter(|(what, _)| what.ends_with(", target.sh")) {
        let stage = Stage::new();
        stage.run(&what, &file.text);
        let mut folders = vec![stage.path("nvmet")];
        let (mut subsystems, mut links) = (0, 0);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
                if path.is_symlink() {
                    links += 1;
                    assert!(path.is_dir(), "{what}: {name} leads nowhere");
                } else if path.is_dir() {
                    subsystems += usize::from(path.parent().is_some_and(|of| of.ends_with("subsystems")));
                    folders.push(path);
                } else {
                    let value = fs::read_to_string(&path).expect("an attribute");
                    assert!(is_of_nvmet(&name, value.trim()), "{what}: {name} {value}");
                    seen.insert(name);
                }
            }
        }
        assert!(subsystems > 0 && links >= subsystems, "{what}: {subsystems} subsystems, {links} links");
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
}

/// What the ends of an iSCSI session agree on, of what is written (RFC 7143, section 13).
const KEYS: [&str; 7] = [
    "InitialR2T",
    "ImmediateData",
    "FirstBurstLength",
    "MaxBurstLength",
    "MaxRecvDataSegmentLength",
    "HeaderDigest",
    "DataDigest",
];

fn is_of_iscsi(key: &str, value: &str) -> bool {
    match key {
        "InitialR2T" | "ImmediateData" => matches!(value, "Yes" | "No"),
        "HeaderDigest" | "DataDigest" => matches!(value, "None" | "CRC32C"),
        _ => value.parse::<u32>().is_ok_and(|bytes| (512..1 << 24).contains(&bytes)),
    }
}

#[test]
fn both_ends_of_iscsi_have_the_same() {
    // The names are those of the settings that open-iscsi comes with, if it is here.
    let known = fs::read_to_string("/etc/iscsi/iscsid.conf").ok();
    if known.is_none() {
        eprintln!("skipped: open-iscsi is not here");
        assert!(env::var_os("QOSCOPE_REQUIRE_TOOLS").is_none(), "open-iscsi is not here");
    }
    let stage = Stage::new();
    let mut seen = 0;
    for (name, export) in exports() {
        let file =
            |wanted: &str| export.files.iter().find(|file| file.name.ends_with(wanted) && file.text.contains("iscsi"));
        let (Some(target), Some(initiator)) = (file("iscsi-target.sh"), file("connect.sh")) else { continue };
        seen += 1;
        let calls = stage.run(&format!("{name}, iscsi-target.sh"), &target.text);
        let offered: BTreeMap<String, String> = calls
            .iter()
            .filter(|call| call[2..].starts_with(&["set".into(), "parameter".into()]))
            .map(|call| call[4].split_once('=').map(|(key, value)| (key.into(), value.into())).expect("a value"))
            .collect();
        assert_eq!(offered.len(), KEYS.len(), "{name}: {offered:?}");
        let portals: BTreeSet<String> =
            calls.iter().filter(|call| call[1].ends_with("/portals")).map(|call| call[4].clone()).collect();
        for call in stage.run(&format!("{name}, connect.sh"), &initiator.text) {
            let Some(parameter) = after(&call, "-n").filter(|_| call[0] == "iscsiadm") else { continue };
            let value = after(&call, "-v").expect("a value");
            assert!(known.as_ref().is_none_or(|known| known.contains(&format!("{parameter} = "))), "{parameter}");
            let port = after(&call, "-p").and_then(|portal| portal.split_once(':')).expect("a portal").1;
            assert!(portals.contains(port), "{name}: {port}");
            let key = parameter.rsplit('.').next().expect("a name");
            match key {
                "queue_depth" => assert!(value.parse().is_ok_and(|depth: u32| (1..=1024).contains(&depth)), "{value}"),
                "cmds_max" => assert!(value.parse().is_ok_and(u32::is_power_of_two), "{value}"),
                "nr_sessions" => assert!(value.parse().is_ok_and(|sessions: u32| sessions > 0), "{value}"),
                key => {
                    assert!(KEYS.contains(&key) && is_of_iscsi(key, value) && offered[key] == value, "{name}: {key}")
                }
            }
        }
        let bytes = |key: &str| offered[key].parse::<u32>().expect("bytes");
        assert!(bytes("FirstBurstLength") <= bytes("MaxBurstLength"), "{name}");
    }
    assert!(seen > 3, "{seen} scenarios have iSCSI");
}

/// Rules of hosts, connections and filters of switches have the code points that SONiC's tables have, too.
#[test]
fn code_points_are_those_of_the_switches() {
    let stage = Stage::new();
    let (mut rules, mut connections, mut filters) = (0, 0, 0);
    for (name, scenario) in all() {
        let Ok(linux) = export(&scenario, Target::Linux) else { continue };
        let sonic = export(&scenario, Target::Sonic).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let tables: serde_json::Value = serde_json::from_str(&sonic.files[0].text).expect("JSON");
        let known = |code: u32| tables["DSCP_TO_TC_MAP"]["QOSCOPE"].get(code.to_string()).is_some();
        for file in &linux.files {
            for line in file.text.lines() {
                if let Some((_, code)) = line.split_once(" dscp set ") {
                    rules += 1;
                    assert!(code.parse().is_ok_and(known), "{name}: {line}");
                }
                if let Some((_, tos)) = line.split_once("--tos=") {
                    connections += 1;
                    let tos: u32 = tos.split(' ').next().and_then(|tos| tos.parse().ok()).expect("a number");
                    assert!(known(tos >> 2), "{name}: {line}");
                }
            }
        }
        if !["three-writers", "paper1-fig20-read-priority"].contains(&name.as_str()) {
            continue;
        }
        let switch = linux.files.iter().find(|file| file.name == "switch.sh").expect("switches");
        for call in stage.run(&format!("{name}, switch.sh"), &switch.text) {
            let Some(field) = after(&call, "dsfield") else { continue };
            filters += 1;
            let field = u32::from_str_radix(field.trim_start_matches("0x"), 16).expect("hexadecimal");
            assert!(known(field >> 2) && field.is_multiple_of(4), "{name}: {call:?}");
        }
    }
    assert!(rules > 50 && connections > 20 && filters > 5, "{rules}, {connections}, {filters}");
}

#[test]
fn rdma_without_storage_is_left_to_the_cards() {
    let why = export(&scenario("rdma-sub-classes"), Target::Linux).expect_err("every class goes over RDMA");
    assert!(why[0].hint.contains("roce") && why[0].reason.contains("RDMA"), "{why:?}");
    let why = export(&scenario("paper1-fig7a-agnostic"), Target::Linux).expect_err("all is local");
    assert!(why[0].hint.contains("local"), "{why:?}");
}

#[test]
fn what_no_kernel_has_is_said() {
    let of = |name: &str, path: &str| {
        let export = export(&scenario(name), Target::Linux).expect("something for Linux");
        export.fields.into_iter().find(|field| field.path.ends_with(path)).map(|field| (field.how, field.why))
    };
    let (how, why) = of("three-writers", "transport").expect("transports");
    assert!(how == How::Roughly && why.contains("QTCP"), "{why}");
    let (how, why) = of("paper1-fig20-read-priority", "transport").expect("transports");
    assert!(how == How::Roughly && why.contains("RDMA"), "{why}");
    let export = export(&scenario("three-writers"), Target::Linux).expect("something for Linux");
    let switch = export.files.iter().find(|file| file.name == "switch.sh").expect("a switch");
    // K of 140 packets of 1500 bytes, and shares of 3 : 2 : 1 in full packets.
    assert!(switch.text.contains("min 210000 max 210001") && switch.text.contains("quanta 4500 3000 1500"));
}
