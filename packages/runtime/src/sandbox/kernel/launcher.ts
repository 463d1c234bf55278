import { landlockRights } from "./landlock.ts";
import { launcherCode } from "./launcher-code.ts";
import { staticProgram } from "./static-program.ts";
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
