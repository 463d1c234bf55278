import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { codeBlocks, codeSpans } from "../support/markdown-text.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/testing.md")).text();

describe("docs/testing.md", () => {
  test("shows an agent whose tests pass, and names every field of their JSON", async () => {
    using home = temporaryDirectory();
    const [agent = ""] = codeBlocks(page, "mdx");
    writeFiles(home.path, { "mail/agent.mdx": agent });
    const { exitCode, stdout } = await runCommandLine(["test", "mail", "--trust", "--json"], { home: home.path });
    const report: unknown = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ passed: 3, failed: 0, stopped: 0 });
    const keys = [...stdout.matchAll(/"(\w+)":/g)].map(([, key = ""]) => key);
    expect(keys.filter((key) => !codeSpans(page).includes(key))).toStrictEqual([]);
  });

  test("shows an agent whose tool fetches, and whose tests pass", async () => {
    using home = temporaryDirectory();
    const [, agent = ""] = codeBlocks(page, "mdx");
    writeFiles(home.path, { "forecast/agent.mdx": agent });
    const { exitCode, stdout } = await runCommandLine(["test", "forecast", "--trust"], { home: home.path });
    expect(stdout).toMatch(/^✓ tomorrow: a known city .*\n✓ tomorrow: an unknown city .*\n\n2 passed /);
    expect(exitCode).toBe(0);
  });
});
