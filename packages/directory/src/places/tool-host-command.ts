import { devNull } from "node:os";
import { join } from "node:path";

/** Where the modules of a compiled executable live. */
const COMPILED = /^(\/\$bunfs\/|[A-Za-z]:[/\\]~BUN[/\\])/;

/** Whether the main file of this program is part of an executable. */
export const isCompiled = (main: string): boolean => COMPILED.test(main);

/**
 * The command that starts a tool host: this program again. From source the flags keep a `.env`, a bunfig.toml or a
 * tsconfig.json of the current folder out, and a missing package from being fetched; an executable is built that way.
 */
export function toolHostCommand(main: string): readonly string[] {
  if (isCompiled(main)) return [process.execPath, "__tool-host"];
  const settings = join(main, "../../../../tsconfig.json");
  const flags = ["--no-env-file", `--config=${devNull}`, `--tsconfig-override=${settings}`, "--no-install"];
  return [process.execPath, ...flags, main, "__tool-host"];
}
