//! Intel SSD DC P4500, 4 TB.

use super::data_sheet::{Basis, DataSheet, Document, NO_FIRMWARE, NO_READ_AHEAD, Number, Rated, Setting, numbers};
use crate::storage::command::Opcode::{Read, Write};
use crate::storage::ssd::parameters::{Allocation, CellType};

pub(super) const SHEET: DataSheet = DataSheet {
    drive: "Intel SSD DC P4500, 4 TB",
    documents: &[
        Document {
            title: "Lenovo, product guide of its part 4XB7A08539 (Intel P4500), table 2, the column of 4.0 TB",
            address: "http://88.208.23.73:8080/en/manual/lenovo/4xb7a08539/202486?page=3",
        },
        Document {
            title: "cnBeta, Intel D7-P5500 and D7-P5600 (June 2020), on the generation before",
            address: "http://shadafang.com/a/2020/0619/1592508507.html",
        },
        Document {
            title: "Tom's Hardware, Intel DC P3520, Architecture (2016), on the 3D NAND of Intel and Micron",
            address: "https://www.tomshardware.com/reviews/intel-dc-p3520-enterprise-ssd-review,4741-2.html",
        },
    ],
    numbers: NUMBERS,
    sources: SOURCES,
    rated: &[
        Rated::sequential(Read, 3200.0),
        Rated::sequential(Write, 1800.0),
        Rated::random(Read, 645_000.0),
        Rated::random(Write, 62_500.0),
        Rated::latency(Read, false, 115.0),
        Rated::latency(Write, false, 20.0).off(-50.0, NO_FIRMWARE),
        Rated::latency(Read, true, 10.0).off(1048.0, NO_READ_AHEAD),
        Rated::latency(Write, true, 13.0).off(-23.0, NO_FIRMWARE),
    ],
};

numbers! {
    PcieLanes(4): Sheet, "PCIe 3.0 x4 [1]";
    PcieLaneGbytesPerS(0.985): Sheet, "PCIe 3.0 [1]: 8 GT/s, 128 of 130 bits are data";
    Cells(CellType::Tlc): Assumed, "three bits per cell, as data centres bought then; all pages take the same time here";
    Channels(12): Published, "twelve in the generation before the P5500 [2]";
    ChipsPerChannel(7): Derived, "645 000 reads a second [1] keep 69 dies busy for 107 µs each, with command and transfer. 256 requests at random do so to 73 of 84, and to fewer of 72";
    ChannelMtPerS(667.0): Assumed, "no source was found; twelve carry the 3.2 GB/s [1] at 267 MB/s each";
    PlanesPerDie(16): Published, "four planes [3]; 16 KiB of each are four pages of 4 KiB here, since drives map 4 KiB";
    PageBytes(4096): Assumed, "what drives of this kind map";
    PagesPerBlock(128): Assumed, "fewer than real blocks have, so that garbage collection comes to its steady state in two seconds";
    BlocksPerPlane(6164): Derived, "4.0 TB [1] and what is kept free";
    PageReadUs(99.0): Derived, "115 µs of a read alone [1], of which 8 µs are the host's and 8 µs command, transfer and link";
    PageProgramUs(2955.0): Derived, "1.8 GB/s [1]: 84 dies program 64 KiB each in 3058 µs, of which 103 µs are command and transfer";
    OverProvisioning(0.079): Derived, "62 500 writes a second [1] in the steady state. 4 TiB would leave 9.1 %, less what parity and tables take";
    GcThresholds(0.003): Assumed, "collected late, as after long writes";
    Allocation(Allocation::Superpage): Assumed, "as in our other drives";
}
