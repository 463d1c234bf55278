import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProcessGroupLimit } from "../../../packages/runtime/src/sandbox/process-group.ts";
import { eventually } from "../../support/eventually.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openSandboxBench } from "../../support/sandbox-bench.ts";

/** Whether this user may make control groups here. */
const hasGroups = ((): boolean => {
  const limit = new ProcessGroupLimit();
  limit.close();
  return limit.folder !== undefined;
})();

const FILE = join(import.meta.dir, "../../../packages/runtime/src/sandbox/process-group.ts");

/** The control group of a program that was killed; `use` is called before that. */
async function leftGroup(use: (folder: string) => void = () => {}): Promise<string> {
  const script = `import { ProcessGroupLimit } from ${JSON.stringify(FILE)}; console.log(new ProcessGroupLimit().folder); setInterval(() => {}, 1000);`;
  const program = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const { value } = await program.stdout.getReader().read();
  const folder = new TextDecoder().decode(value).trim();
  expect(existsSync(folder)).toBe(true);
  use(folder);
  program.kill("SIGKILL");
  await program.exited;
  return folder;
}

/** A user who may make none, such as anyone but root, has none to remove. */
const describeGroups = hasGroups ? describe : (_name: string, _tests: () => void): void => {};

if (!hasGroups) {
  test("a program that may make no control group removes none", () => {
    const limit = new ProcessGroupLimit();
    limit.removeStale();
    limit.close();
    expect(limit.folder).toBeUndefined();
  });
}

describeGroups("control groups", () => {
  test("of killed programs are removed when they are empty, and all others stay", async () => {
    const limit = new ProcessGroupLimit();
    const left = await leftGroup();
    const sleeper = Bun.spawn(["sleep", "600"]);
    const busy = await leftGroup((folder) => writeFileSync(join(folder, "inner/cgroup.procs"), String(sleeper.pid)));
    const elsewhere = left.replace(/mdx-ai-\d+/, "mdx-ai-1");
    const others = join(dirname(left), `other-${crypto.randomUUID()}`);
    for (const folder of [elsewhere, others]) mkdirSync(folder);
    const kept = [limit.folder ?? "", busy, elsewhere, others];
    try {
      limit.removeStale();
      expect([left, ...kept].map(existsSync)).toStrictEqual([false, true, true, true, true]);
      expect(existsSync(join(busy, "inner"))).toBe(true);
    } finally {
      sleeper.kill("SIGKILL");
      await sleeper.exited;
      for (const folder of [elsewhere, others]) rmdirSync(folder);
      await eventually(() => {
        limit.removeStale();
        return !existsSync(busy);
      });
      limit.close();
    }
  });

  test.skipIf(requireProgram("bwrap"))("of killed programs are removed by one that runs", async () => {
    const left = await leftGroup();
    await using bench = openSandboxBench();
    await bench.bash("true");
    await eventually(() => !existsSync(left));
  });

  test.skipIf(requireProgram("bwrap"))("of killed programs are removed by one that ends at once", async () => {
    const left = await leftGroup();
    {
      await using bench = openSandboxBench();
      await bench.bash("true");
    }
    expect(existsSync(left)).toBe(false);
  });
});
