import { statSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { foldersFrom } from "@mdx-ai/base";
import { realPlaceOrSame } from "@mdx-ai/base/disk";

/** Whether this program is an executable. If not, Bun runs it: its sources, or the bundle of the library. */
export const isCompiled: boolean = /^(\/\$bunfs\/|[A-Za-z]:[/\\]~BUN[/\\])/.test(import.meta.dir);

/** The folder with this program's code: the sources of this package, the bundle, or a folder in the executable. Absolute. */
export const programFolder: string = import.meta.dir;

/** The folder of the executable, or of this program's code. Absolute and real. */
export const installFolder = (): string => (isCompiled ? dirname(realPlaceOrSame(process.execPath)) : programFolder);

/**
 * The folders whose `node_modules` contain what is installed beside this program, the nearest first: its own folder and those above.
 * A `node_modules` of another user does not count, since a folder above may be writable by everybody.
 */
export const installFolders = (): readonly string[] =>
  foldersFrom(installFolder()).filter((folder) => belongsToUser(join(folder, "node_modules")));

/** Whether a file or folder exists and belongs to this user or the superuser. */
export function belongsToUser(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (process.getuid === undefined || [0, process.getuid()].includes(stats.uid));
}

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
