import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fixDirectory } from "@mdx-ai/directory/checking";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { agentText } from "../../support/agent-text.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a large file is fixed while the thread that answers users is free", async () => {
  using home = temporaryDirectory();
  mkdirSync(join(home.path, "skills"));
  const prose = "A line of *plain* prose.\n\n".repeat(1_000);
  writeFiles(home.path, { "agent.mdx": `${agentText("")}\n${prose}Take <5 of it.\n` });
  const directory = await readAgentDirectory(home.path);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const fixes = await Array.fromAsync(fixDirectory(directory));
  clearInterval(timer);
  expect(fixes.map(({ file, fixed }) => [file, fixed.length])).toStrictEqual([["agent.mdx", 1]]);
  expect(readFileSync(join(home.path, "agent.mdx"), "utf8")).toEndWith("Take \\<5 of it.\n");
  expect(ticks).toBeGreaterThan(10);
});
