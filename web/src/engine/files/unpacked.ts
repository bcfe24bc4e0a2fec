/** Bytes that a file may unpack to however small it is. */
const FREE_BYTES = 64e6;

/** From there on, most bytes that each of its bytes may unpack to: a trace gives 5 to 50, one byte repeated 1032. */
const MAX_PER_BYTE = 200;

/** Bytes that are unpacked at once: at most 17 MB come of them. */
const PIECE_BYTES = 16 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Unpacks gzip piece by piece, as fast as it is read. What unpacks to far more than a trace would fails with a sentence, before
 * it takes time or memory.
 */
export function unpacked(packed: ReadableStream<Bytes>): ReadableStream<Bytes> {
  let [taken, given] = [0, 0];
  const cut = new TransformStream<Bytes, Bytes>({
    transform(chunk, out) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES)
        out.enqueue(chunk.subarray(at, at + PIECE_BYTES));
    },
  });
  // Counted when its turn comes, not when it was cut.
  const counted = new TransformStream<Bytes, Bytes>({
    transform(piece, out) {
      taken += piece.length;
      out.enqueue(piece);
    },
  });
  const bounded = new TransformStream<Bytes, Bytes>({
    transform(piece, out) {
      given += piece.length;
      if (given <= Math.max(FREE_BYTES, MAX_PER_BYTE * taken)) out.enqueue(piece);
      else out.error(sentence(taken, given));
    },
  });
  return packed
    .pipeThrough(cut)
    .pipeThrough(counted)
    .pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Bytes, Bytes>)
    .pipeThrough(bounded);
}

const sentence = (taken: number, given: number) =>
  `The file is no trace: its first ${(taken / 1e6).toFixed(1)} MB unpack to more than ${Math.floor(given / 1e6)} MB. ` +
  "If it is one all the same, unpack it first.";
