//! Devices to begin with: some of our own, and drives by their data sheets.

pub mod data_sheet;
mod intel_p4320;
mod intel_p4500;
mod own;
mod samsung_pm9a3;
mod solidigm_p5810;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parameters::SsdParameters;
use data_sheet::{DataSheet, Number};

/// Devices to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    #[default]
    /// Three bits per cell, eight channels, PCIe 3.0, much like a Samsung 970 EVO Plus.
    #[schemars(title = "TLC NVMe, 1 TB")]
    TlcNvme,
    /// One bit per cell with page reads of some microseconds, PCIe 4.0.
    #[schemars(title = "XL-FLASH, low latency")]
    XlFlash,
    /// The default configuration of MQSim, with its rules: one command per chip, data out first, no suspension.
    #[schemars(title = "MQSim default")]
    Mqsim,
    /// By public figures: three bits per cell, PCIe 4.0, for data centres.
    #[schemars(title = "Samsung PM9A3, 3.84 TB")]
    SamsungPm9a3,
    /// By public figures: three bits per cell, PCIe 3.0, for data centres.
    #[schemars(title = "Intel DC P4500, 4 TB")]
    IntelP4500,
    /// By public figures: four bits per cell, PCIe 3.0, for what is read more than written.
    #[schemars(title = "Intel D5-P4320, 7.68 TB")]
    IntelP4320,
    /// By public figures: one bit per cell, PCIe 4.0, for what is written much.
    #[schemars(title = "Solidigm D7-P5810, 800 GB")]
    SolidigmP5810,
}

impl Preset {
    /// Those that follow data sheets.
    pub const FROM_DATA_SHEETS: [Self; 4] =
        [Self::SamsungPm9a3, Self::IntelP4500, Self::IntelP4320, Self::SolidigmP5810];

    /// The data sheet that it follows, with the source of each number; none for devices of our own.
    pub fn data_sheet(self) -> Option<&'static DataSheet> {
        match self {
            Self::TlcNvme | Self::XlFlash | Self::Mqsim => None,
            Self::SamsungPm9a3 => Some(&samsung_pm9a3::SHEET),
            Self::IntelP4500 => Some(&intel_p4500::SHEET),
            Self::IntelP4320 => Some(&intel_p4320::SHEET),
            Self::SolidigmP5810 => Some(&solidigm_p5810::SHEET),
        }
    }

    /// What a data sheet says of the device, without the sources; empty for devices of our own.
    pub fn numbers(self) -> &'static [Number] {
        match self {
            Self::TlcNvme | Self::XlFlash | Self::Mqsim => &[],
            Self::SamsungPm9a3 => samsung_pm9a3::NUMBERS,
            Self::IntelP4500 => intel_p4500::NUMBERS,
            Self::IntelP4320 => intel_p4320::NUMBERS,
            Self::SolidigmP5810 => solidigm_p5810::NUMBERS,
        }
    }
}

impl SsdParameters {
    /// The parameters of a preset.
    pub fn preset(preset: Preset) -> Self {
        match preset {
            Preset::XlFlash => own::xl_flash(),
            Preset::Mqsim => own::mqsim(),
            // What no sheet says is as in the drive that data centres use.
            _ => preset.numbers().iter().fold(own::tlc_nvme(), |mut drive, number| {
                number.setting.apply(&mut drive);
                drive
            }),
        }
    }
}
