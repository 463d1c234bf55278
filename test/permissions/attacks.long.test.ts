import { describe, expect, test } from "bun:test";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type PermissionBench, permissionBench, reading, writing } from "../support/permission-bench.ts";

/** Nobody can be asked: what is asked about is denied. */
const NOT_RUN = /^not run: /;

describe("a path that changes between the check and the use", () => {
  test("a link that another process swaps all the time: nothing outside is ever read", async () => {
    using bench = permissionBench();
    bench.put("agent/in/a.txt", "inside");
    bench.put("outside/a.txt", "SECRET");
    const reported = await whileSwapping(bench, () => bench.run(reading("door/a.txt")));
    expect(reported).toContain("inside");
    expect(reported.filter((text) => text.includes("SECRET"))).toStrictEqual([]);
    expect(reported.some((text) => NOT_RUN.test(text))).toBe(true);
  });

  test("a link that another process swaps all the time: nothing outside is ever written", async () => {
    using bench = permissionBench();
    bench.put("agent/in/a.txt", "inside");
    bench.put("outside/a.txt", "SECRET");
    const reported = await whileSwapping(bench, (round) => bench.run(writing(`door/new-${round % 5}/b.txt`)));
    expect(reported.some((text) => /^(created|replaced) /.test(text))).toBe(true);
    expect(reported.some((text) => NOT_RUN.test(text))).toBe(true);
    expect(readdirSync(join(bench.path, "outside"))).toStrictEqual(["a.txt"]);
  });
});

/** Makes 400 calls while a link `door` leads now to `in`, now outside; gives what came of each. */
async function whileSwapping(bench: PermissionBench, run: (round: number) => Promise<string>): Promise<string[]> {
  const program = join(import.meta.dir, "../support/swap-links-process.ts");
  const link = join(bench.agentDir, "door");
  symlinkSync("in", link);
  const swapper = Bun.spawn([process.execPath, program, link, "in", "../outside"], { stdout: "pipe" });
  try {
    await swapper.stdout.getReader().read();
    const reported: string[] = [];
    for (let round = 0; round < 400; round += 1) reported.push(await run(round));
    return reported;
  } finally {
    swapper.kill();
    await swapper.exited;
  }
}
