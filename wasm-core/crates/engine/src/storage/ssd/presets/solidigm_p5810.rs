//! Solidigm D7-P5810, 800 GB.

use super::data_sheet::{Basis, DataSheet, Document, NO_FIRMWARE, NO_READ_AHEAD, Number, Rated, Setting, numbers};
use crate::storage::command::Opcode::{Read, Write};
use crate::storage::ssd::parameters::{Allocation, CellType};

pub(super) const SHEET: DataSheet = DataSheet {
    drive: "Solidigm D7-P5810, 800 GB",
    documents: &[
        Document {
            title: "Cnews.cz, Solidigm D7-P5810 (2023), from the maker's sheet; requests of 4 KiB at queue depth 256",
            address: "https://www.cnews.cz/clanky/ssd-pouzivajici-slc-porad-ziji-solidigm-uvadi-model-se-144vrstvou-nand-zvladne-100-000-prepisu/",
        },
        Document {
            title: "DV Hardware, Intel to debut 144-layer QLC NAND flash in 2020 (2019)",
            address: "https://www.dvhardware.net/article71629.html",
        },
    ],
    numbers: NUMBERS,
    sources: SOURCES,
    rated: &[
        Rated::sequential(Read, 6400.0),
        Rated::sequential(Write, 4000.0),
        Rated::random(Read, 865_000.0),
        Rated::random(Write, 495_000.0),
        Rated::latency(Write, false, 15.0).off(-40.0, NO_FIRMWARE),
        Rated::latency(Read, true, 10.0).off(374.0, NO_READ_AHEAD),
        Rated::latency(Write, true, 13.0).off(-31.0, NO_FIRMWARE),
    ],
};

numbers! {
    PcieLanes(4): Sheet, "PCIe 4.0 x4 [1]";
    PcieLaneGbytesPerS(1.969): Sheet, "PCIe 4.0 [1]: 16 GT/s, 128 of 130 bits are data";
    Cells(CellType::Slc): Sheet, "one bit per cell, 144 layers [1]";
    Channels(8): Assumed, "no source was found; eight carry the 6.4 GB/s [1] at 800 MB/s each";
    ChipsPerChannel(4): Derived, "1 TiB, the power of two above 800 GB [1], is 32 dies of 256 Gb: 1 Tb at four bits per cell [2], used at one, over eight channels";
    ChannelMtPerS(1200.0): Assumed, "what flash of 128 layers does; no source was found";
    PlanesPerDie(16): Assumed, "four planes; 16 KiB of each are four pages of 4 KiB here, since drives map 4 KiB";
    PageBytes(4096): Assumed, "what drives of this kind map";
    PagesPerBlock(64): Assumed, "fewer than real blocks have, so that garbage collection comes to its steady state in a second";
    BlocksPerPlane(9416): Derived, "800 GB [1] and what is kept free";
    PageReadUs(35.0): Derived, "865 000 reads a second [1] by 32 dies that are busy all the time, a tenth of their commands for two reads: 39 µs for each, of which 4 µs are command and transfer";
    PageProgramUs(464.0): Derived, "4.0 GB/s [1]: 32 dies program 64 KiB each in 524 µs, of which 60 µs are command and transfer";
    OverProvisioning(0.367): Derived, "495 000 writes a second [1] in the steady state. 4.0 GB/s over these are 1.97 pages programmed for one written: 28 % by theory, were garbage collection to take no time of dies but to program. Dies are 23 % larger by it than 256 Gb";
    GcThresholds(0.003): Assumed, "collected late, as after long writes";
    Allocation(Allocation::Superblock): Assumed, "what comes nearer to the writes of the sheet than superpages";
    DramWidthBytes(8): Assumed, "12.8 GB/s, so that DRAM is no bottleneck";
}
