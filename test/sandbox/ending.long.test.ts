import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

/** What stays in the agent directory when its sandbox is closed so many milliseconds after a command was asked for. */
async function leftBehind(delay: number): Promise<readonly string[]> {
  await using bench = openSandboxBench({ keeps: "nothing" });
  const before = readdirSync(bench.directory);
  await bench.tool("return 'done';");
  const running = bench.bash("true");
  await Bun.sleep(delay);
  await bench.close();
  await running.catch(() => {});
  // Placeholders of an idle sandbox stay for a moment.
  await Bun.sleep(400);
  return readdirSync(bench.directory).filter((name) => !before.includes(name));
}

describe.skipIf(requireProgram("bwrap"))("a sandbox that is closed", () => {
  test("while a command starts or has just ended leaves no placeholder", async () => {
    const delays = Array.from({ length: 24 }, (_, index) => 4 * index);
    const left: (readonly string[])[] = [];
    for (let index = 0; index < delays.length; index += 3)
      left.push(...(await Promise.all(delays.slice(index, index + 3).map(leftBehind))));
    expect(left).toEqual(delays.map(() => []));
  }, 120_000); // biome-ignore format: short

  test("runs no command any more, and makes nothing for it", async () => {
    await using bench = openSandboxBench({ keeps: "nothing" });
    const before = readdirSync(bench.directory);
    expect((await bench.bash("echo ran")).text).toContain("ran");
    await bench.close();
    expect(await bench.bash("echo ran")).toEqual({
      text: expect.stringContaining("the sandbox was closed"),
      isError: true,
    });
    expect(readdirSync(bench.directory)).toEqual(before);
  });
});
