use proptest::prelude::*;

use super::super::trace::{Operation, RECORD_BYTES};
use super::*;

/// What is read of a text, fed in pieces of so many bytes.
fn read_in(text: &[u8], piece: usize, selection: Selection) -> Result<(Trace, Statistics), ReadError> {
    let mut reader = TraceReader::new(None, selection);
    for piece in text.chunks(piece.max(1)) {
        reader.feed(piece)?;
    }
    reader.finish()
}

fn read(text: &str) -> Result<(Trace, Statistics), ReadError> {
    read_in(text.as_bytes(), usize::MAX, Selection::default())
}

/// A few lines of each format.
const SAMPLES: [(Format, &str); 9] = [
    (Format::Spc, "0,303567,3584,w,0.026214\n1,55590,3072,R,0.026682\n0,1,512,r,0.5\n"),
    (
        Format::Msr,
        "128166372003061629,hm,1,Read,383496192,32768,413\r\n128166372016382155,hm,0,Write,2822144,4096,100\r\n",
    ),
    (
        Format::Systor,
        "Timestamp,Response,IOType,LUN,Offset,Size\n1456329600.1,0.0002,R,2,4096,8192\n1456329600.2,,,2,,\n\
         1456329601.3,0.001,W,3,0,512\n",
    ),
    (Format::Tencent, "1538323200,12910952,128,1,1063\n1538323200,6265688,8,0,1071\n1538323201,1,8,0,1063\n"),
    (Format::Alibaba, "419,W,126703644672,4096,1577808000000626\n725,R,1024,8192,1577808000001000\n"),
    (Format::Mqsim, "0 0 1024 8 1\n5000 0 2048 8 0\n"),
    (Format::Fio, "fio version 2 iolog\n/dev/sdb add\n/dev/sdb read 0 4096\n/dev/sdb wait 150\n/dev/sdb write 0 512\n"),
    (Format::Fio, "fio version 3 iolog\n0 /dev/sdb add\n26 /dev/sdb read 0 4096\n90 /dev/sdb trim 0 512\n"),
    (
        Format::Blkparse,
        "  8,0    1        1     0.000000000  3142  Q   R 303567 + 8 [fio]\n\
         \x20 8,0    1        2     0.000001000  3142  G   R 303567 + 8 [fio]\n\
         CPU0 (8,0):\n Reads Queued:           1,        4KiB\n",
    ),
];

#[test]
fn every_format_is_told_by_its_lines() {
    for (format, text) in SAMPLES {
        let (trace, statistics) = read(text).unwrap();
        assert_eq!(statistics.format, format.id(), "{text}");
        assert_eq!((statistics.bad, trace.len() as u64), (0, statistics.counts.requests()), "{text}");
    }
}

#[test]
fn time_begins_with_the_first_request() {
    let (trace, statistics) = read(SAMPLES[1].1).unwrap();
    let expected = [
        Record { at_ps: 0, operation: Operation::Read, address: 383_496_192, bytes: 32_768, volume: 0 },
        Record { at_ps: 1_332_052_600_000, operation: Operation::Write, address: 2_822_144, bytes: 4096, volume: 1 },
    ];
    assert_eq!(trace.iter().collect::<Vec<_>>(), expected);
    assert_eq!(trace.volumes(), ["hm_1", "hm_0"]);
    assert_eq!(statistics.span_ps, 1_332_052_600_000);
}

#[test]
fn statistics_count_what_there_is() {
    let (_, statistics) = read(SAMPLES[2].1).unwrap();
    assert_eq!((statistics.lines, statistics.skipped), (4, 1));
    let counts = statistics.counts;
    assert_eq!((counts.reads, counts.writes, counts.read_bytes, counts.written_bytes), (1, 1, 8192, 512));
    assert_eq!((counts.end_address, counts.mean_bytes(), counts.read_fraction()), (12_288, Some(4352.0), Some(0.5)));
    let volumes: Vec<&str> = statistics.volumes.iter().map(|volume| volume.name.as_str()).collect();
    assert_eq!(volumes, ["2", "3"]);
}

#[test]
fn latencies_are_counted_where_the_trace_has_them() {
    let (_, statistics) = read(SAMPLES[1].1).unwrap();
    let recorded = &statistics.recorded;
    assert_eq!((recorded.reads.mean_us(), recorded.writes.mean_us()), (Some(41.3), Some(10.0)));
    let of_volume = |number: usize| &statistics.volumes[number].recorded;
    assert_eq!((of_volume(0).reads.count(), of_volume(0).writes.count(), of_volume(1).writes.count()), (1, 0, 1));
    // Of the volume and the stretch that are selected alone.
    let of = |selection: Selection| {
        let (_, statistics) = read_in(SAMPLES[1].1.as_bytes(), 7, selection).unwrap();
        (statistics.recorded.reads.count(), statistics.recorded.writes.count())
    };
    assert_eq!(of(Selection { volumes: vec!["hm_0".into()], ..Selection::default() }), (0, 1));
    assert_eq!(of(Selection { from_ps: 1, ..Selection::default() }), (0, 1));
    assert_eq!(of(Selection { until_ps: 1, ..Selection::default() }), (1, 0));
    assert_eq!(read(SAMPLES[0].1).unwrap().1.recorded, Recorded::default());
    // Between two lines of blkparse.
    let done = SAMPLES[8].1.replace("  G   R", "  D   R") + "8,0 1 3 0.000084000 0 C R 303567 + 8 [0]\n";
    assert_eq!(read(&done).unwrap().1.recorded.reads.mean_us(), Some(83.0));
}

#[test]
fn whole_seconds_are_spread() {
    let (trace, _) = read(SAMPLES[3].1).unwrap();
    let instants: Vec<u64> = trace.iter().map(|record| record.at_ps / 1_000_000_000).collect();
    assert_eq!(instants, [0, 500, 1000]);
}

#[test]
fn what_is_selected_is_kept_and_all_is_counted() {
    let of_volume = Selection { volumes: vec!["1063".into()], ..Selection::default() };
    let (trace, statistics) = read_in(SAMPLES[3].1.as_bytes(), 7, of_volume).unwrap();
    assert_eq!((trace.len(), statistics.counts.requests(), statistics.complete), (2, 3, true));
    let first = Selection { max_requests: 1, ..Selection::default() };
    let (trace, statistics) = read_in(SAMPLES[3].1.as_bytes(), 7, first).unwrap();
    assert_eq!((trace.len(), statistics.kept, statistics.complete), (1, 1, false));
    let late = Selection { from_ps: 1, until_ps: 600_000_000_000, ..Selection::default() };
    let (trace, _) = read_in(SAMPLES[3].1.as_bytes(), 7, late).unwrap();
    assert_eq!(trace.iter().map(|record| record.at_ps).collect::<Vec<_>>(), [500_000_000_000]);
}

#[test]
fn bad_lines_are_passed_over_and_reported_with_their_numbers() {
    let text = "\u{feff}Zeit,Adresse\r\n0,1,512,r,0.1\r\n\r\n# a comment\n0,1,512,q,0.2\n0,1,512,w,0.3\n0,1,512,w,0.4";
    let (trace, statistics) = read(text).unwrap();
    assert_eq!((trace.len(), statistics.bad, statistics.lines), (3, 2, 7));
    let said: Vec<String> = statistics.bad_lines.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "Line 1 has no number for its address, or one that is too large: Zeit,Adresse",
            "Line 5 has an unknown operation: 0,1,512,q,0.2"
        ]
    );
}

#[test]
fn lines_beyond_every_length_are_bad_lines() {
    let long = "x".repeat(100_000);
    let text = format!("0,1,512,r,0.1\n{long}\n0,1,512,w,0.3\n{}{long}", "0,1,512,w,0.3\n".repeat(40));
    for piece in [13, 5000, usize::MAX] {
        let (trace, statistics) = read_in(text.as_bytes(), piece, Selection::default()).unwrap();
        assert_eq!((trace.len(), statistics.bad), (42, 2), "{piece}");
        assert!(statistics.bad_lines[0].to_string().starts_with("Line 2 is longer than any line of a trace: xxx"));
        assert!(statistics.bad_lines[0].text.len() < 100);
    }
}

#[test]
fn a_trace_of_which_too_much_is_bad_is_refused() {
    let good = "0,1,512,r,0.1\n".repeat(50);
    let text = good + &"0,1,512,r,x\n".repeat(101);
    let refused = read(&text).unwrap_err();
    let said = refused.to_string();
    assert!(
        said.starts_with("101 of the first 151 lines cannot be read as the format spc. Line 51 has no number"),
        "{said}"
    );
    // One in a hundred is passed over, however many that are.
    let text = ("0,1,512,r,0.1\n".repeat(100) + "bad\n").repeat(200);
    assert_eq!(read(&text).unwrap().1.bad, 200);
}

#[test]
fn what_is_no_trace_is_refused_with_a_sentence() {
    let said = |text: &[u8]| read_in(text, 3, Selection::default()).unwrap_err().to_string();
    assert_eq!(said(b""), "The trace is empty.");
    assert_eq!(said(b"\x1f\x8b\x08\x00rest"), "The trace is compressed with gzip. Unpack it first.");
    assert!(said(b"Lorem ipsum\ndolor\n").ends_with("It begins with: Lorem ipsum"));
    assert_eq!(said(b"fio version 3 iolog\n0 /dev/sdb add\n"), "The trace has no request of the format fio.");
    let mut stated = TraceReader::new(Some(Format::Msr), Selection::default());
    stated.feed(b"0,1,512,r,0.1\n").unwrap();
    assert!(
        stated.finish().unwrap_err().to_string().starts_with("1 of the first 1 lines cannot be read as the format msr")
    );
}

#[test]
fn hostile_numbers_are_bad_lines() {
    let good = "0,1,512,r,0.1\n".repeat(20);
    for hostile in [
        "0,1,9999999999,r,0.1",
        "0,36028797018963967,1024,r,0.1",
        "0,1,512,r,9999999999",
        "0,1,512,r,-1",
        "0,1,512,r,nan",
        "0,1,-512,r,0.1",
        "0,1,512,r,1e300",
    ] {
        let (trace, statistics) = read(&format!("{good}{hostile}\n")).unwrap();
        assert_eq!((trace.len(), statistics.bad), (20, 1), "{hostile}");
    }
}

#[test]
fn a_reader_is_satisfied_when_nothing_more_would_be_kept() {
    let mut reader = TraceReader::new(None, Selection { max_requests: 5, ..Selection::default() });
    let mut fed = 0;
    while !reader.is_satisfied() {
        reader.feed(b"0,1,512,r,0.1\n").unwrap();
        fed += 1;
        assert!(fed < 10_000);
    }
    assert_eq!(reader.finish().unwrap().0.len(), 5);
}

#[test]
fn a_long_stream_takes_no_memory_but_for_what_is_kept() {
    let mut reader = TraceReader::new(None, Selection { max_requests: 1000, ..Selection::default() });
    let mut block = String::new();
    let mut bytes = 0;
    for number in 0..30 {
        block.clear();
        for line in 0..20_000u64 {
            let ticks = 128_166_372_003_061_629 + 10_000 * (20_000 * number + line);
            block.push_str(&format!("{ticks},hm,{},Read,{},4096,413\n", line % 7, 4096 * line));
        }
        bytes += block.len();
        reader.feed(block.as_bytes()).unwrap();
        let lines = &reader.lines;
        let held = lines.window.capacity() * size_of::<(u64, Record)>()
            + lines.kept.trace.memory_bytes()
            + reader.partial.capacity()
            + lines.seconds.capacity() * size_of::<Record>();
        assert!(held < 400_000, "{held} bytes after {bytes}");
    }
    assert!(bytes > 20_000_000 && RECORD_BYTES == 24);
    let (trace, statistics) = reader.finish().unwrap();
    assert_eq!((trace.len(), statistics.counts.reads, statistics.volumes.len()), (1000, 600_000, 7));
}

/// Lines of one format, some of them damaged.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let sample = (0..SAMPLES.len()).prop_map(|which| SAMPLES[which].1);
    let damage = proptest::collection::vec((any::<u16>(), any::<u8>()), 0..4);
    (sample, 1..30usize, damage).prop_map(|(sample, repeats, damage)| {
        let mut text = sample.repeat(repeats).into_bytes();
        for (position, byte) in damage {
            let position = position as usize % text.len();
            text[position] = byte;
        }
        text
    })
}

proptest! {
    #[test]
    fn any_cut_into_pieces_gives_the_same(text in text(), piece in 1..200usize) {
        let whole = read_in(&text, usize::MAX, Selection::default());
        let cut = read_in(&text, piece, Selection::default());
        match (whole, cut) {
            (Ok((one, statistics)), Ok((other, again))) => {
                prop_assert_eq!(one.digest(), other.digest());
                prop_assert_eq!(statistics, again);
            }
            (one, other) => prop_assert_eq!(one.err(), other.err()),
        }
    }

    #[test]
    fn no_garbage_makes_a_reader_fail_otherwise_than_by_a_sentence(
        garbage in proptest::collection::vec(any::<u8>(), 0..2000), stated in 0..9usize,
    ) {
        let mut reader = TraceReader::new(Format::ALL.get(stated).copied(), Selection::default());
        let fed = garbage.chunks(50).try_for_each(|piece| reader.feed(piece));
        if let Err(refused) = fed.and_then(|()| reader.finish().map(drop)) {
            prop_assert!(refused.to_string().ends_with(['.', '"', '…']) || !refused.to_string().is_empty());
        }
    }

    #[test]
    fn requests_come_in_order_of_time(seconds in proptest::collection::vec(0.0..1e6f64, 1..300)) {
        let text: String = seconds.iter().map(|at| format!("0,1,512,r,{at:.6}\n")).collect();
        let (trace, statistics) = read(&text).unwrap();
        prop_assert_eq!(trace.len(), seconds.len());
        prop_assert!(trace.iter().is_sorted_by_key(|record| record.at_ps));
        prop_assert_eq!(statistics.late, 0);
    }
}

#[test]
fn trims_of_any_length_are_trims() {
    let (_, statistics) = read(
        "fio version 3 iolog\n0 /dev/a add\n10 /dev/a open\n20 /dev/a trim 0 2147483648\n40 /dev/a write 0 4096\n\
         60 /dev/a trim 2147483648 9000000000\n80 /dev/a read 4096 4096\n99 /dev/a close\n",
    )
    .unwrap();
    let counts = &statistics.counts;
    assert_eq!((counts.trims, counts.reads, counts.writes, statistics.bad), (2, 1, 1, 0));
    assert_eq!(counts.end_address, 8192, "trims move no data");
}

#[test]
fn blkparse_with_dispatches_and_completions_only_is_read_with_a_remark() {
    let (_, statistics) = read(
        "259,0 1 1 0.000000000 901 D R 2048 + 8 [db]\n259,0 1 2 0.000081000 0 C R 2048 + 8 [0]\n\
         259,0 2 1 0.000100000 902 D WS 90112 + 16 [db]\n259,0 2 2 0.000121000 0 C WS 90112 + 16 [0]\n\
         259,0 1 3 0.000200000 901 D R 4096 + 8 [db]\n259,0 1 4 0.000279000 0 C R 4096 + 8 [0]\n",
    )
    .unwrap();
    let counts = &statistics.counts;
    assert_eq!((counts.reads, counts.writes, counts.read_bytes, counts.written_bytes), (2, 1, 8192, 8192));
    assert_eq!(statistics.span_ps, 200_000_000);
    let recorded = &statistics.recorded;
    assert_eq!((recorded.reads.mean_us(), recorded.writes.mean_us()), (Some(80.0), Some(21.0)));
    assert_eq!(
        statistics.remarks,
        [
            "Requests issued at dispatch (action D), since no Q precedes them: 3. Their time in the queue of the host is missing."
        ]
    );
}

#[test]
fn blkparse_with_completions_only_says_what_is_missing() {
    let refused = read("259,0 1 2 0.000081000 0 C R 2048 + 8 [0]\n").unwrap_err().to_string();
    assert_eq!(
        refused,
        "The trace has completions (action C), but neither Q nor D: record `blktrace -a queue` or `-a issue` as well."
    );
}
