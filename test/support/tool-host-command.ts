import { join } from "node:path";

/** Starts a tool host process from source, before and beside the command line's own hidden command. */
export const toolHostCommand: readonly string[] = [
  process.execPath,
  "--no-install",
  "--no-env-file",
  "--config=/dev/null",
  join(import.meta.dir, "tool-host-process.ts"),
];
