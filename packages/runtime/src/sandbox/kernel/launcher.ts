import { landlockRights } from "./landlock.ts";
import { launcherCode } from "./launcher-code.ts";
import type { Architecture } from "./syscall-numbers.ts";

/**
 * An executable file that runs a command under Landlock: `LAUNCHER PATH... -- COMMAND ARGUMENT...`. The command, an absolute
 * path, can change files and write to FIFOs only at and below these paths; it reads and executes as before. `abi` is the value of
 * `landlockAbi`, at least `LEAST_LANDLOCK_ABI`; from version 6 on, the command reaches no abstract socket and signals no
 * process outside either.
 *
 * It must run behind bubblewrap: a process under Landlock cannot mount, the folders that bubblewrap makes exist only then, and it
 * is bubblewrap that sets `no_new_privs`, which Landlock needs. A path means what it means there, and must exist.
 *
 * Its exit code is 126 if Landlock cannot be applied, or if a path cannot be opened, and 127 if the command cannot be started;
 * then nothing has run.
 */
export function landlockLauncher(architecture: Architecture, abi: number): Uint8Array {
  return staticProgram(architecture, launcherCode(architecture, landlockRights(abi)));
}

/** `EM_X86_64` and `EM_AARCH64`. */
const MACHINES: Readonly<Record<Architecture, number>> = { x64: 62, arm64: 183 };

const FILE_HEADER = 64;
const PROGRAM_HEADER = 56;
const START = FILE_HEADER + PROGRAM_HEADER;

/** The address at which the file is mapped. */
const ADDRESS = 0x400000n;
/** The largest page that arm64 may have. */
const ALIGNMENT = 0x10000n;

/** An executable file in the format ELF that needs no library: the code alone, which starts at its first byte. */
export function staticProgram(architecture: Architecture, code: Uint8Array): Uint8Array {
  const size = START + code.length;
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  // 64-bit, little-endian, version 1.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true); // ET_EXEC
  view.setUint16(18, MACHINES[architecture], true);
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
  view.setBigUint64(FILE_HEADER + 48, ALIGNMENT, true);
  file.set(code, START);
  return file;
}
