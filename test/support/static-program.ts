const FILE_HEADER = 64;
const PROGRAM_HEADER = 56;
const START = FILE_HEADER + PROGRAM_HEADER;

/** The address at which the file is mapped. */
const ADDRESS = 0x400000n;

/** An executable file for x64, in the format ELF, that needs no library: the code alone, which starts at its first byte. */
export function staticProgram(code: Uint8Array): Uint8Array {
  const size = START + code.length;
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  // 64-bit, little-endian, version 1.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true); // ET_EXEC
  view.setUint16(18, 62, true); // EM_X86_64
  view.setUint32(20, 1, true);
  view.setBigUint64(24, ADDRESS + BigInt(START), true);
  view.setBigUint64(32, BigInt(FILE_HEADER), true);
  view.setUint16(52, FILE_HEADER, true);
  view.setUint16(54, PROGRAM_HEADER, true);
  view.setUint16(56, 1, true);
  // The one segment is the whole file.
  view.setUint32(FILE_HEADER, 1, true); // PT_LOAD
  view.setUint32(FILE_HEADER + 4, 5, true); // readable and executable
  view.setBigUint64(FILE_HEADER + 16, ADDRESS, true);
  view.setBigUint64(FILE_HEADER + 24, ADDRESS, true);
  view.setBigUint64(FILE_HEADER + 32, BigInt(size), true);
  view.setBigUint64(FILE_HEADER + 40, BigInt(size), true);
  view.setBigUint64(FILE_HEADER + 48, 0x1000n, true);
  file.set(code, START);
  return file;
}
