import { devNull } from "node:os";
import { join } from "node:path";
import { isCompiled } from "@mdx-ai/base/disk";

/** The argument that makes the executable a tool host. */
export const TOOL_HOST = "__tool-host";

/** The bundle has all files in one folder, and its own compiler settings. */
const FILES = import.meta.path.endsWith(".ts")
  ? { entry: "tool-host-entry.ts", compilerSettings: "../../../../tsconfig.json" }
  : { entry: "tool-host-entry.js", compilerSettings: "tsconfig.json" };

/**
 * The command that starts a tool host process. Its flags ignore a `.env`, a bunfig.toml or a tsconfig.json of the current folder,
 * and keep a missing package from being fetched; the executable is built that way.
 */
export function toolHostCommand(): readonly string[] {
  if (isCompiled) return [process.execPath, TOOL_HOST];
  const settings = `--tsconfig-override=${join(import.meta.dir, FILES.compilerSettings)}`;
  const flags = ["--no-env-file", `--config=${devNull}`, settings, "--no-install"];
  return [process.execPath, ...flags, join(import.meta.dir, FILES.entry)];
}
