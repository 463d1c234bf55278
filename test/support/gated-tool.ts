import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A command for `bash` that goes on until its gate is opened, or for a minute at most. */
export const gatedCommand = (gate: string): string =>
  `for i in $(seq 3000); do [ -e ${gate} ] && break; sleep 0.02; done; echo through ${gate}`;

/** Lets the command behind a gate end. */
export const openGate = (directory: string, gate: string): void => writeFileSync(join(directory, gate), "");
