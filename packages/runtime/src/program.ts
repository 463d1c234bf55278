import { devNull } from "node:os";
import { join } from "node:path";

/** Whether this program is an executable. If not, Bun runs it: its sources, or the bundle of the library. */
export const isCompiled: boolean = /^(\/\$bunfs\/|[A-Za-z]:[/\\]~BUN[/\\])/.test(import.meta.dir);

/** The folder with this program's code: the sources of this package, the bundle, or a folder in the executable. Absolute. */
export const programFolder: string = import.meta.dir;

/** The argument that makes the executable a tool host. */
export const TOOL_HOST = "__tool-host";

/** The folder that Bun runs from: the bundle has all files in one folder, and its own compiler settings. */
const FILES = import.meta.path.endsWith(".ts")
  ? { all: "../../..", entry: "tool-host/tool-host-entry.ts", compilerSettings: "../../../tsconfig.json" }
  : { all: ".", entry: "tool-host-entry.js", compilerSettings: "tsconfig.json" };

/**
 * The command that starts a tool host process of this program. The flags keep a `.env`, a bunfig.toml or a tsconfig.json of the
 * current folder out, and a missing package from being fetched; the executable is built that way.
 */
export function toolHostCommand(): readonly string[] {
  if (isCompiled) return [process.execPath, TOOL_HOST];
  const settings = `--tsconfig-override=${join(programFolder, FILES.compilerSettings)}`;
  const flags = ["--no-env-file", `--config=${devNull}`, settings, "--no-install"];
  return [process.execPath, ...flags, join(programFolder, FILES.entry)];
}

/** The files that a process of this program must see: its executable, and the code that Bun runs. Absolute. */
export const programPaths = (): readonly string[] =>
  isCompiled ? [process.execPath] : [process.execPath, join(programFolder, FILES.all)];
