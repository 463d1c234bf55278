// `npm run walk`: which source files a hello prompt enters, from the command line to the model's request, and how often.
// With strace also the system calls on the agent directory and the folders above it.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { visitsOf } from "./walk/visits-of.ts";
import { walkOf } from "./walk/walk-of.ts";

/** Files that are shown of each part. */
const SHOWN = 12;

const root = join(import.meta.dir, "..");
const folder = await realpath(await mkdtemp(join(tmpdir(), "mdx-ai-walk-")));
try {
  for (const { name, files, hops, entered } of await walkOf(root, folder)) {
    console.log(`${name}: ${files} files, ${hops} hops`);
    for (const [file, times] of entered.slice(0, SHOWN)) console.log(`  ${String(times).padStart(4)}× ${file}`);
  }
  if (Bun.which("strace") !== null) {
    const visits = await visitsOf(root, folder);
    console.log(`${visits.length} visits of the agent directory and the folders above it`);
    for (const visit of visits) console.log(`  ${visit}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
