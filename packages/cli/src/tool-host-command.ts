import { devNull } from "node:os";

/** Where the modules of a compiled executable live. */
const COMPILED = /^(\/\$bunfs\/|[A-Za-z]:[/\\]~BUN[/\\])/;

/**
 * The command that starts a tool host: this program again. From source the flags keep a `.env` or a bunfig.toml of the
 * current folder out, and a missing package from being fetched; an executable is built that way.
 */
export function toolHostCommand(main: string): readonly string[] {
  if (COMPILED.test(main)) return [process.execPath, "__tool-host"];
  return [process.execPath, "--no-env-file", `--config=${devNull}`, "--no-install", main, "__tool-host"];
}
