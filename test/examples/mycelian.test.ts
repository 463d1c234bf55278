import { expect, test } from "bun:test";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const EXAMPLE = join(import.meta.dir, "../../examples/mycelian");

const run = async (folder: string): Promise<string> => {
  const child = Bun.spawn([process.execPath, join(EXAMPLE, "run.ts"), folder], { stdout: "pipe", stderr: "inherit" });
  const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
  expect(code).toBe(0);
  return text;
};

test("the runner remembers the recorded conversation", async () => {
  using folder = temporaryDirectory();
  const text = await run(folder.path);
  const lines = text.split("\n");
  expect(lines[0]).toBe("10 entries, the newest first:");
  expect(lines[1]).toStartWith("2026-06-12 assistant: ");
  expect(lines[10]).toBe("2026-05-08 user: User found chanterelles below the old beech near the spring");
  expect(text).toEndWith("In June they go there again, with the small basket.\n");
});

test("the agent has a memory, and nothing is wrong with it", async () => {
  const { definition, diagnostics } = await readAgentDirectory(EXAMPLE);
  expect(diagnostics).toStrictEqual([]);
  expect(definition.settings.memory).toStrictEqual({ vault: "mycelian", memory: "walks" });
});
