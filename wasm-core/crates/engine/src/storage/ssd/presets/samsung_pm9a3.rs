//! Samsung PM9A3, 3.84 TB, U.2.

use super::data_sheet::{Basis, DataSheet, Document, Number, Rated, Setting, numbers};
use crate::storage::command::Opcode::{Read, Write};
use crate::storage::ssd::parameters::{Allocation, CellType};

pub(super) const SHEET: DataSheet = DataSheet {
    drive: "Samsung PM9A3, 3.84 TB, U.2",
    documents: &[
        Document {
            title: "PCEVA, test of three drives of 3.84 TB for data centres (2022), the paragraph on the PM9A3",
            address: "https://web.aigexing.com/keji/1778722.html",
        },
        Document {
            title: "ComputerBase, Samsung PM9A3 E1.S (May 2020); what was announced then was slower (6.5 and 3.5 GB/s, 900 000 reads a second) than the later sheet",
            address: "https://www.computerbase.de/2020-05/samsung-pm9a3-e1.s-pcie-4.0-ssd/",
        },
        Document {
            title: "AnandTech, 2021 NAND Flash Updates from ISSCC, table of 3D TLC, the column of Samsung's 128 layers (ISSCC 2019)",
            address: "https://www.anandtech.com/show/16491/flash-memory-at-isscc-2021",
        },
    ],
    numbers: NUMBERS,
    sources: SOURCES,
    rated: &[
        Rated::sequential(Read, 6800.0),
        Rated::sequential(Write, 4000.0),
        Rated::random(Read, 1_000_000.0),
        Rated::random(Write, 180_000.0),
    ],
};

numbers! {
    PcieLanes(4): Sheet, "PCIe 4.0 x4 [2]";
    PcieLaneGbytesPerS(1.969): Sheet, "PCIe 4.0 [2]: 16 GT/s, 128 of 130 bits are data";
    Cells(CellType::Tlc): Sheet, "V-NAND of the sixth generation, 128 layers [2], three bits per cell [3]";
    Channels(8): Assumed, "no source was found; eight carry the 6.8 GB/s [1] at 850 MB/s each";
    ChipsPerChannel(8): Derived, "4 TiB, the power of two above 3.84 TB [1], are 64 dies of 512 Gb [3], over eight channels";
    ChannelMtPerS(1200.0): Published, "1.2 Gb/s a pin [3]";
    PlanesPerDie(8): Published, "two planes [3]; 16 KiB of each are four pages of 4 KiB here, since drives map 4 KiB";
    PageBytes(4096): Assumed, "what drives of this kind map";
    PagesPerBlock(64): Assumed, "fewer than real blocks have, so that garbage collection comes to its steady state in a second";
    BlocksPerPlane(31_861): Derived, "3.84 TB [1] and what is kept free";
    PageReadUs(55.0): Derived, "1 000 000 reads a second [1] by 64 dies, of which 256 requests at random keep 59 busy: 59 µs for each, of which 4 µs are command and transfer. The paper says 45 µs of the array alone [3]";
    PageProgramUs(492.0): Derived, "4.0 GB/s [1]: 64 dies program 32 KiB each in 524 µs, of which 32 µs are command and transfer. The paper's 82 MB/s a die [3] are 400 µs";
    OverProvisioning(0.102): Derived, "180 000 writes a second [1] in the steady state. 4 TiB would leave 12.7 %, less what parity and tables take";
    GcThresholds(0.003): Assumed, "collected late, as after long writes";
    Allocation(Allocation::Superblock): Assumed, "what comes nearer to the writes of the sheet than superpages";
    DramWidthBytes(8): Assumed, "12.8 GB/s, so that DRAM is no bottleneck";
}
