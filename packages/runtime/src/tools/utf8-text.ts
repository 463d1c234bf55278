import { isUtf8 } from "node:buffer";

/** Bytes decoded as UTF-8. */
export interface Utf8Text {
  readonly text: string;
  /** Whether each byte was part of valid UTF-8; others became U+FFFD. */
  readonly valid: boolean;
}

/** Decodes bytes; a byte-order mark is kept. With `open`, a sequence that the end of the bytes cuts off is left out. */
export function utf8Text(bytes: Buffer, open: boolean): Utf8Text {
  const whole = open ? bytes.subarray(0, bytes.length - unfinishedLength(bytes)) : bytes;
  return { text: whole.toString("utf8"), valid: isUtf8(whole) };
}

/** How many bytes at the end begin a sequence without finishing it. */
function unfinishedLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0b1100_0000) return sequenceLength(byte) > back ? back : 0;
    if (byte < 0b1000_0000) return 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0b1111_0000) return 4;
  return lead >= 0b1110_0000 ? 3 : 2;
}
