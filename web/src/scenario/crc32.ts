/** Remainders of all bytes for the polynomial of ISO 3309 (CRC-32, as in Ethernet and zip), bits reversed. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  return remainder;
});

/** CRC-32 of the bytes of an ASCII text. Finds any damage within 32 bits that follow each other. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    remainder = (remainder >>> 8) ^ (TABLE[(remainder ^ text.charCodeAt(i)) & 0xff] as number);
  }
  return ~remainder >>> 0;
}
