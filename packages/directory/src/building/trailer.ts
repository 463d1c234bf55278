import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** What the last bytes of an executable with an agent say. */
export interface Trailer {
  /** The offset of the archive: the size of the program itself. */
  readonly start: number;
  /** Bytes of the archive. */
  readonly length: number;
}

/** The end of each executable that contains an agent. */
const MARK = new TextEncoder().encode("mdx-ai-agent-001");

/** The length of the archive as a 64-bit number, little-endian, and the mark. */
export const TRAILER_SIZE: number = 8 + MARK.length;

/** The last bytes of an executable with an archive of this length. */
export function trailerBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(TRAILER_SIZE);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(MARK, 8);
  return bytes;
}

/** Where the agent in an executable is; undefined without one. Reads 24 bytes. Throws the file system's error. */
export function readTrailer(executable: string): Trailer | undefined {
  const file = openSync(executable, "r");
  try {
    return trailerOf(file);
  } finally {
    closeSync(file);
  }
}

function trailerOf(file: number): Trailer | undefined {
  const end = fstatSync(file).size - TRAILER_SIZE;
  const bytes = new Uint8Array(TRAILER_SIZE);
  if (end < 0 || readSync(file, bytes, 0, TRAILER_SIZE, end) < TRAILER_SIZE) return undefined;
  if (MARK.some((byte, index) => bytes[8 + index] !== byte)) return undefined;
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  return length > end ? undefined : { start: end - length, length };
}

/** The bytes of the archive in an executable. Throws the file system's error. */
export function readArchive(executable: string, { start, length }: Trailer): Uint8Array {
  const file = openSync(executable, "r");
  try {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const read = readSync(file, bytes, at, length - at, start + at);
      if (read === 0) throw new Error(`${executable} ends too early`);
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
