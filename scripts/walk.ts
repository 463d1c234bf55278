// `npm run walk`: which source files a hello prompt enters, from the command line to the model's request, and how often.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walkOf } from "./walk/walk-of.ts";

/** Files that are shown of each part. */
const SHOWN = 12;

const folder = await mkdtemp(join(tmpdir(), "mdx-ai-walk-"));
try {
  for (const { name, files, hops, entered } of await walkOf(join(import.meta.dir, ".."), folder)) {
    console.log(`${name}: ${files} files, ${hops} hops`);
    for (const [file, times] of entered.slice(0, SHOWN)) console.log(`  ${String(times).padStart(4)}× ${file}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
