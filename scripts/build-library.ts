import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bundlePage } from "../packages/server/src/page/bundle-page.ts";
import { needsBun } from "./needs-bun.ts";
import { PRODUCTION } from "./production.ts";

const ROOT = join(import.meta.dir, "..");

/** The library, the command for a Bun without an executable, and the process that runs tools. */
const ENTRIES = [
  "packages/cli/src/index.ts",
  "packages/cli/src/main.ts",
  "packages/tools/src/tool-host/tool-host-entry.ts",
];

const BUNDLE: Bun.BuildConfig = {
  entrypoints: ENTRIES.map((entry) => join(ROOT, entry)),
  ...PRODUCTION,
  target: "bun",
  format: "esm",
  splitting: true,
  // Other bundlers do not follow the calls that lead to files of their own.
  splitRequire: false,
};

/** Where the build puts the licence texts; see `mdx-ai licenses`. */
const LICENSE_TEXTS = join(ROOT, "packages/cli/src/licenses/license-texts.ts");

/** The web page of the server, which a build contains as it is sent. */
const PAGE = join(ROOT, "packages/server/src/page/page-bundle.ts");

/** Files of the bundle that the build writes, for the option `files`. Rejects with the bundler's error. */
export async function builtFiles(notices: string): Promise<Record<string, string>> {
  const license = await Bun.file(join(ROOT, "LICENSE")).text();
  const { script, style } = await bundlePage();
  return {
    [LICENSE_TEXTS]: `export const LICENSE_TEXTS = ${JSON.stringify(`${license}\n${notices}`)};\n`,
    [PAGE]: `export const pageBundle = async () => (${JSON.stringify({ script, style })});\n`,
  };
}

/** The files that the library and the executable are made of, relative to the current folder. Rejects with the bundler's error. */
export async function bundleInputs(): Promise<readonly string[]> {
  const [{ metafile }, page] = await Promise.all([Bun.build({ ...BUNDLE, metafile: true }), bundlePage()]);
  return [...Object.keys(metafile?.inputs ?? {}), ...page.inputs];
}

/**
 * Writes what Bun runs of this program into a folder: one file for each entry, parts that are loaded when they are needed, and all
 * packages that they use. The folder is emptied first. Rejects with the bundler's error.
 */
export async function buildLibrary(folder: string, notices: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await Bun.build({
    ...BUNDLE,
    files: await builtFiles(notices),
    metafile: true,
    outdir: folder,
    // Not minified: Bun prints the lines around an error.
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  });
  await Bun.write(join(folder, "needs-bun.js"), needsBun(metafile?.outputs["./index.js"]?.exports ?? []));
  // A tool host reads these in place of those of the current folder.
  await Bun.write(join(folder, "tsconfig.json"), "{}\n");
}
