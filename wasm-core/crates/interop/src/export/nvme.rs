//! The arbitration of NVMe controllers: feature 01h, for nvme-cli and SPDK.

use qoscope_engine::scenario::Diagnostic;
use qoscope_engine::text::counted;

use super::page::{Page, number};
use super::scene::Scene;
use super::{About, Command, Export, How, Kind, Mapped, Mapping, Target, Tool};

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "nvme",
        title: "NVMe arbitration",
        kind: Kind::Settings,
        holds: "weights, burst",
        version: "NVM Express Base Specification 2.0, feature 01h; nvme-cli 2.x, SPDK's bdev_nvme_set_options",
    },
    mappings: MAPPINGS,
    write,
};

const ARBITRATION: Mapping = Mapping {
    from: "storage.nvme.arbitration",
    to: "CC.AMS",
    how: How::Roughly,
    why: "The host chooses it when it starts the controller, and no command does so later: Linux's driver always takes round robin.",
};
const BURST: Mapping = Mapping {
    from: "storage.nvme.burst",
    to: "AB, bits 2:0",
    how: How::Exactly,
    why: "A power of two: AB is its logarithm.",
};
const HIGH: Mapping = Mapping {
    from: "storage.nvme.highWeight",
    to: "HPW, bits 31:24",
    how: How::Exactly,
    why: "Weights count from 0: the field is one less.",
};
const MEDIUM: Mapping = Mapping { from: "storage.nvme.mediumWeight", to: "MPW, bits 23:16", ..HIGH };
const LOW: Mapping = Mapping { from: "storage.nvme.lowWeight", to: "LPW, bits 15:8", ..HIGH };
const PRIORITY: Mapping = Mapping {
    from: "classes[].nvmePriority",
    to: "QPRIO of submission queues",
    how: How::Roughly,
    why: "The host gives each submission queue its priority when it makes it: SPDK by the option qprio of a queue pair; no command sets it.",
};
const DEVICE: Mapping = Mapping {
    from: "storage.nvme.deviceCommands",
    to: "",
    how: How::NotAtAll,
    why: "How many commands a controller works on at once is its own.",
};

const MAPPINGS: &[Mapping] = &[ARBITRATION, BURST, HIGH, MEDIUM, LOW, PRIORITY, DEVICE];

/// AB of "no limit".
const NO_LIMIT: u32 = 0b111;

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let nvme = &scenario.storage.nvme;
    let Some(mechanism) = scene.effective("storage.nvme.arbitration") else {
        let hint = "Let requests go to storage: choose an access protocol other than direct.";
        return Err(vec![Diagnostic::new(
            "storage.nvme.arbitration",
            "has nothing for a controller: no request goes to a device",
            hint,
        )]);
    };
    let weighs = nvme.arbitration.mechanism().weighs;
    let mut fields = Vec::new();
    let mut remarks = Vec::new();
    let name = scene
        .field("storage.nvme.arbitration")
        .and_then(|field| field.options.iter().find(|choice| mechanism == choice.value.as_str()))
        .map_or_else(|| mechanism.to_string(), |choice| choice.title.clone());
    let selected = if weighs { "weighted round robin with urgent priority class" } else { "round robin" };
    let of = ARBITRATION.of(scene, "storage.nvme.arbitration", name, selected);
    fields.push(if weighs {
        of
    } else {
        of.because(How::Roughly, "Without weights controllers go round their queues.")
    });

    let burst = power_of_two(nvme.burst);
    let commands = burst.map_or_else(|| "no limit".into(), |power| count(1 << power, "command"));
    let exact = burst.is_some_and(|power| 1 << power == nvme.burst);
    let of = BURST.of(
        scene,
        "storage.nvme.burst",
        count(nvme.burst, "command"),
        format!("AB {}", burst.unwrap_or(NO_LIMIT)),
    );
    let near = format!("A burst is a power of two up to 64, or has no limit: {} becomes {commands}.", nvme.burst);
    fields.push(if exact { of } else { of.because(How::Roughly, near) });
    let mut value = burst.unwrap_or(NO_LIMIT);
    let mut parts = vec![format!("AB {}: {commands}", burst.unwrap_or(NO_LIMIT))];
    let weights = [
        (&HIGH, nvme.high_weight, 24, "HPW"),
        (&MEDIUM, nvme.medium_weight, 16, "MPW"),
        (&LOW, nvme.low_weight, 8, "LPW"),
    ];
    let mut written = Vec::new();
    for (mapping, weight, shift, field) in weights.into_iter().filter(|_| weighs) {
        let own = weight.clamp(1, 256);
        value |= (own - 1) << shift;
        parts.push(format!("{field} {}: weight {own}", own - 1));
        written.push(own - 1);
        fields.push(mapping.of(scene, mapping.from, weight.to_string(), format!("{field} {}", own - 1)));
    }
    if scene.effective("storage.nvme.deviceCommands").is_some() {
        let from = count(nvme.device_commands, "command");
        fields.push(DEVICE.of(scene, "storage.nvme.deviceCommands", from, ""));
    }
    for (class, own) in scenario.classes.iter().enumerate().filter(|_| weighs) {
        let path = format!("classes[{class}].nvmePriority");
        let Some(level) = scene.effective(&path).and_then(|level| level.as_str()) else { continue };
        let of = PRIORITY.of(scene, &path, level, format!("QPRIO {level}"));
        fields.push(Mapped { title: format!("{}, {}", of.title, own.name), ..of });
    }

    let mut script = Page::default();
    script.line("#!/bin/sh");
    script.line("# Arbitration of an NVMe controller: feature 01h. Usage: sh arbitration.sh /dev/nvme0");
    script.line("set -e");
    script.line("device=${1:?name the controller, such as /dev/nvme0}");
    script.marked(
        format!("nvme set-feature \"$device\" --feature-id=0x01 --value=0x{value:08x}"),
        parts.join(", "),
        None,
    );
    script.line("nvme get-feature \"$device\" --feature-id=0x01 --human-readable");
    let mut files = vec![script.file("arbitration.sh", "sets the feature on the host of the drive, and shows it")];
    if weighs {
        let mut spdk = Page::default();
        spdk.line("{");
        spdk.line("  \"subsystems\": [");
        spdk.line("    {");
        spdk.line("      \"subsystem\": \"bdev\",");
        spdk.line("      \"config\": [");
        spdk.line("        {");
        spdk.line("          \"method\": \"bdev_nvme_set_options\",");
        spdk.line("          \"params\": {");
        spdk.marked(
            format!("            \"arbitration_burst\": {},", burst.unwrap_or(NO_LIMIT)),
            parts[0].clone(),
            None,
        );
        for (at, (name, field)) in ["high", "medium", "low"].into_iter().zip(&written).enumerate() {
            let end = if at == 2 { "" } else { "," };
            spdk.marked(
                format!("            \"{name}_priority_weight\": {field}{end}"),
                format!("weight {}, from 0", field + 1),
                None,
            );
        }
        for line in ["          }", "        }", "      ]", "    }", "  ]", "}"] {
            spdk.line(line);
        }
        files.push(spdk.file("spdk.json", "is read by SPDK's applications: --json spdk.json"));
        remarks.push("Linux's driver never selects weighted round robin: there the weights do nothing. Its queues are served in turn.".into());
        remarks.push("SPDK's driver can select it (arb_mechanism of a controller, qprio of a queue pair); its block devices do not, so that an application of yours, or its fio plugin (enable_wrr, wrr_priority), has to.".into());
        remarks.push("NVMe-oF targets of Linux and SPDK do not pass arbitration through: hosts that set it on a drive of the fabric are refused, or heard by no drive.".into());
        if burst == Some(0) {
            remarks.push("SPDK sends the feature only where arbitration_burst is above 0: with a burst of one command it leaves out the weights, too. Take a burst of 2, or set the feature by nvme-cli.".into());
        }
    }
    let about = if weighs {
        format!(
            "weights {} : {} : {}, burst {}",
            nvme.high_weight,
            nvme.medium_weight,
            nvme.low_weight,
            number(nvme.burst.into())
        )
    } else {
        format!("round robin, burst {}", number(nvme.burst.into()))
    };
    let commands = vec![Command { on: "On the host of the drive".into(), text: "sh arbitration.sh /dev/nvme0".into() }];
    Ok(Export { target: Target::Nvme, about, files, fields, remarks, commands })
}

/// The logarithm of the power of two next to a number, up to 64; none above.
fn power_of_two(burst: u32) -> Option<u32> {
    const MOST: u32 = 64;
    let power = libm::log2(f64::from(burst.max(1))).round() as u32;
    (burst <= MOST + MOST / 2).then(|| power.min(MOST.ilog2()))
}

fn count(number_of: u32, unit: &str) -> String {
    counted(number_of, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_become_powers_of_two() {
        assert_eq!([1, 2, 3, 6, 64, 96].map(power_of_two), [0, 1, 2, 3, 6, 6].map(Some));
        assert_eq!(power_of_two(1000), None);
    }
}
