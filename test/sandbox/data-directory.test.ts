import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

const FILES = {
  "data/sessions/main/journal.jsonl": "journal",
  "data/state/memory.json": "[]",
  "data/logs/main.jsonl": "log",
};

describe.skipIf(requireProgram("bwrap"))("data that is kept elsewhere", () => {
  test("cannot be written by the shell", async () => {
    await using bench = openSandboxBench({ data: "data", write: ["data"] });
    writeFiles(bench.home, FILES);
    for (const path of [
      "data/sessions/new",
      "data/logs/main.jsonl",
      "data/state/memory.json",
      "data/state/usage.jsonl",
    ]) {
      const { isError, text } = await bench.bash(`echo forged > ${join(bench.home, path)}`);
      expect([isError, text]).toStrictEqual([true, expect.stringContaining("Read-only file system")]);
    }
    expect(await bench.bash(`cd ${bench.home}/data; ls -A sessions logs; cat state/memory.json`)).toMatchObject({
      text: "logs:\n\nsessions:\n[]",
    });
  });

  test("cannot be written by a tool that may write around it", async () => {
    await using bench = openSandboxBench({ data: "data", write: ["data"] });
    writeFiles(bench.home, { ...FILES, "data/mine": "" });
    const files = { read: [], write: [`${bench.home}/data/**`] };
    const write = (path: string) =>
      bench.tool(`await Bun.write(${JSON.stringify(join(bench.home, path))}, "forged"); return "written";`, { files });
    for (const [path, text] of Object.entries(FILES)) {
      expect((await write(path)).isError).toBe(true);
      expect(readFileSync(join(bench.home, path), "utf8")).toBe(text);
    }
    expect((await write("data/sessions/new/journal.jsonl")).isError).toBe(true);
    expect(existsSync(join(bench.home, "data/sessions/new"))).toBe(false);
    expect(await write("data/mine")).toMatchObject({ isError: false, text: "written" });
  });
});
