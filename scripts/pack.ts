// `npm run pack`: makes dist/*.tgz, what would be published: the command's package and that of this machine's
// executable, or those of the platforms named (`npm run pack -- linux-x64 darwin-arm64`).
// It refuses while SECURITY.md has a placeholder for an address; `--draft` packs all the same, to try the packages.
// `--executable FILE` packs an executable that is built already, and `--gzip-level N` packs quicker or smaller: for tests.
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publicationObstacle } from "./report-address.ts";

const ROOT = join(import.meta.dir, "..");
const DESTINATION = join(ROOT, "dist");

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    draft: { type: "boolean", default: false },
    executable: { type: "string" },
    "gzip-level": { type: "string", default: "6" },
  },
});
const obstacle = values.draft ? undefined : await publicationObstacle();
if (obstacle !== undefined) {
  console.error(`${obstacle} To try the packages: npm run pack -- --draft`);
  process.exit(1);
}
/** Set for `npm run build`, since `prepack` scripts have no arguments. */
const built = values.executable === undefined ? {} : { MDX_AI_BUILT_EXECUTABLE: resolve(values.executable) };
const platforms = named.length > 0 ? named : [`${process.platform}-${process.arch}`];
await mkdir(DESTINATION, { recursive: true });
for (const folder of ["packages/cli", ...platforms.map((name) => `platforms/${name}`)]) await pack(folder);

/** Runs the package's `prepack` script, which creates the files that are not in git. */
async function pack(folder: string): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, "pm", "pack", `--gzip-level=${values["gzip-level"]}`, "--destination", DESTINATION],
    {
      cwd: join(ROOT, folder),
      env: { ...process.env, ...built },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  if ((await child.exited) !== 0) throw new Error(`${folder} could not be packed.`);
}
