// `npm run pack`: makes dist/*.tgz, what would be published: the command's package and that of this machine's
// executable, or those of the platforms named (`npm run pack -- linux-x64 darwin-arm64`).
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const DESTINATION = join(ROOT, "dist");

const named = process.argv.slice(2);
const platforms = named.length > 0 ? named : [`${process.platform}-${process.arch}`];
await mkdir(DESTINATION, { recursive: true });
for (const folder of ["packages/cli", ...platforms.map((name) => `platforms/${name}`)]) await pack(folder);

/** Runs the package's `prepack` script, which makes what git does not hold. */
async function pack(folder: string): Promise<void> {
  const child = Bun.spawn([process.execPath, "pm", "pack", "--gzip-level=6", "--destination", DESTINATION], {
    cwd: join(ROOT, folder),
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error(`${folder} could not be packed.`);
}
