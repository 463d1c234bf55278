import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Arguments of `bash`: a command that goes on until its gate is opened, or for two minutes at most, whatever it does first. */
export const gatedCall = (gate: string, first = ""): { readonly command: string; readonly timeout: number } => ({
  command: `${first}for i in $(seq 6000); do [ -e ${gate} ] && break; sleep 0.02; done; echo through ${gate}`,
  timeout: 120,
});

/** Lets the command behind a gate end. */
export const openGate = (directory: string, gate: string): void => writeFileSync(join(directory, gate), "");
