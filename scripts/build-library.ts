import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PRODUCTION } from "./production.ts";

const ROOT = join(import.meta.dir, "..");

/** The library, the command for a Bun without an executable, and the process that runs tools. */
const ENTRIES = [
  "packages/cli/src/index.ts",
  "packages/cli/src/main.ts",
  "packages/tools/src/tool-host/tool-host-entry.ts",
];

/**
 * Writes what Bun runs of this program into a folder: one file for each entry, parts that are loaded when they are needed, and all
 * packages that they use. The folder is emptied first. Rejects with the bundler's error.
 */
export async function buildLibrary(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(ROOT, entry)),
    ...PRODUCTION,
    outdir: folder,
    target: "bun",
    format: "esm",
    splitting: true,
    // Not minified: Bun prints the lines around an error.
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  });
  // A tool host reads these in place of those of the current folder.
  await Bun.write(join(folder, "tsconfig.json"), "{}\n");
}
