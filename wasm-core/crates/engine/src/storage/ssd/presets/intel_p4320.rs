//! Intel SSD D5-P4320, 7.68 TB.

use super::data_sheet::{Basis, DataSheet, Document, Number, Rated, Setting, numbers};
use crate::storage::command::Opcode::{Read, Write};
use crate::storage::ssd::parameters::{Allocation, CellType};

pub(super) const SHEET: DataSheet = DataSheet {
    drive: "Intel SSD D5-P4320, 7.68 TB",
    documents: &[
        Document {
            title: "ComputerBase, Intel D5-P4320 (August 2018), from Intel's slides",
            address: "https://www.computerbase.de/2018-08/intel-d5-p4320-qlc-ssd-1.600-schreibzyklen/",
        },
        Document {
            title: "The Tech Report, Intel and Micron say their quad-level-cell NAND is ready to rip (2018)",
            address: "https://techreport.com/news/33672/intel-and-micron-say-their-quad-level-cell-nand-is-ready-to-rip/",
        },
        Document {
            title: "A 1Tb 4b/cell 64-stacked-WL 3D NAND flash memory with 12MB/s program throughput (ISSCC 2018), abstract",
            address: "https://preview.concepedia.online/publication/W2791359478",
        },
    ],
    numbers: NUMBERS,
    sources: SOURCES,
    rated: &[
        Rated::sequential(Read, 3200.0),
        Rated::sequential(Write, 1000.0),
        Rated::random(Read, 427_000.0),
        Rated::random(Write, 36_000.0),
    ],
};

numbers! {
    PcieLanes(4): Derived, "3.2 GB/s [1] are what PCIe 3.0 x4 carries";
    PcieLaneGbytesPerS(0.985): Derived, "PCIe 3.0, as for the lanes: 8 GT/s, 128 of 130 bits are data";
    Cells(CellType::Tlc): Assumed, "four bits per cell [1] have four types of page, the model three; all take the same time here, so that their number has no effect";
    Channels(8): Assumed, "no source was found; eight carry the 3.2 GB/s [1] at 400 MB/s each";
    ChipsPerChannel(8): Derived, "8 TiB, the power of two above 7.68 TB [1], are 64 dies of 1 Tb [1, 2], over eight channels";
    ChannelMtPerS(800.0): Assumed, "no source was found";
    PlanesPerDie(16): Sheet, "four planes [2]; 16 KiB of each are four pages of 4 KiB here, since drives map 4 KiB";
    PageBytes(4096): Assumed, "what most drives map; the model counts no more than 2³¹ pages";
    PagesPerBlock(128): Assumed, "fewer than real blocks have, so that garbage collection comes to its steady state in two seconds";
    BlocksPerPlane(15_380): Derived, "7.68 TB [1] and the share that is kept free: 1 Tb of a die [1, 2] less 6 % for parity and tables";
    PageReadUs(133.0): Derived, "427 000 reads a second [1] by 64 dies, of which 256 requests at random keep 59 busy: 139 µs for each, of which 6 µs are command and transfer";
    PageProgramUs(4107.0): Derived, "1.0 GB/s [1]: 64 dies program 64 KiB each in 4194 µs, of which 87 µs are command and transfer. These are 15.6 MB/s a die; the QLC of a paper of that year does 12 MB/s [3]";
    OverProvisioning(0.07): Derived, "36 000 writes a second [1] in the steady state. 8 TiB would leave 12.7 %, less what parity and tables take";
    GcThresholds(0.003): Assumed, "collected late, as after long writes";
    Allocation(Allocation::Superpage): Assumed, "as in our other drives";
}
