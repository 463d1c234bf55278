import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { visitsOf } from "../../scripts/walk/visits-of.ts";
import { type WalkPart, walkOf } from "../../scripts/walk/walk-of.ts";
import { requireProgram } from "../support/require-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

/** What a hello prompt may enter from the command line to the request. Lower a figure when the walk gets shorter. */
const MAX = { files: 120, hops: 430, entries: 12, visits: 8 } as const;

/** On a busy machine, work that was put off for 100 ms falls into a walk: the shortest of a few is without it. */
async function shortestWalk(): Promise<WalkPart | undefined> {
  const walks: WalkPart[] = [];
  for (let attempt = 0; attempt < 8 && !walks.some(({ files }) => files <= MAX.files); attempt++) {
    using home = temporaryDirectory();
    const [whole] = await walkOf(ROOT, home.path);
    if (whole !== undefined) walks.push(whole);
  }
  return walks.toSorted((one, other) => one.files - other.files)[0];
}

test("a hello prompt enters few files, and each of them seldom", async () => {
  const whole = await shortestWalk();
  const [, entries = 0] = whole?.entered[0] ?? [];
  expect(whole?.files).toBeWithin(50, MAX.files + 1);
  expect(whole?.hops).toBeWithin(100, MAX.hops + 1);
  expect(entries).toBeWithin(2, MAX.entries + 1);
  // The user's secrets are compiled once in the process.
  expect(whole?.entered.filter(([file]) => file.endsWith("/secret-pattern.ts"))).toEqual([
    ["base/src/redaction/secret-pattern.ts", 1],
  ]);
  expect(whole?.entered.filter(([file]) => file.includes("packages/server"))).toEqual([]);
});

test.skipIf(requireProgram("strace"))("a hello prompt seldom looks at the agent directory", async () => {
  using home = temporaryDirectory();
  const visits = await visitsOf(ROOT, realpathSync(home.path));
  expect(visits.length).toBeWithin(1, MAX.visits + 1);
});
