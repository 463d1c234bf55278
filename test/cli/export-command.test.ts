import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const AGENT = `---
description: Knows all about tea.
mcp:
  shop:
    command: tea-shop
    env:
      KEY: \${SHOP_KEY}
---

# Agent: Tea Master

## Purpose

Brew tea.

## Constraints

- Never coffee

<Tool name="brew" description="Brew a cup" env="KETTLE">
  <Param name="kind" description="Green | black" enum="green,black" />
  <Param name="minutes" type="integer" min="1" max="9" required="false" />

\`\`\`ts
export const execute = ({ kind }: { kind: string }): string => kind;
\`\`\`

</Tool>
`;

const FILES = {
  "tea/agent.mdx": AGENT,
  "tea/skills/pour/SKILL.md": "---\nname: pour\ndescription: How to pour.\n---\nSlowly.\n",
};

async function exported(args: readonly string[], files: Readonly<Record<string, string>> = FILES) {
  using home = temporaryDirectory();
  writeFiles(home.path, files);
  const result = await runCommandLine(["export", "tea", ...args], { home: home.path });
  const tea = join(home.path, "tea");
  return { ...result, stdout: result.stdout.replaceAll(tea, "/tea") };
}

describe("mdx-ai export", () => {
  test("--format mcp is a configuration without values of variables", async () => {
    const { exitCode, stdout, stderr } = await exported(["--format", "mcp"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const env = { KETTLE: "${KETTLE}", SHOP_KEY: "${SHOP_KEY}" };
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { "tea-master": { command: "mdx-ai", args: ["mcp-server", "/tea"], env } },
    });
  });

  test("--format mcp with --url names a server that runs", async () => {
    const { stdout } = await exported(["--format", "mcp", "--url", "https://tea.example/mcp"]);
    const headers = { Authorization: "Bearer ${MDX_AI_TOKEN}" };
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { "tea-master": { type: "http", url: "https://tea.example/mcp", headers } },
    });
  });

  test("--format a2a is a card of A2A 1.0", async () => {
    const { stdout } = await exported(["--format", "a2a", "--url", "https://tea.example/a2a"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ name: "Tea Master", description: "Knows all about tea." },
      supportedInterfaces: [{ url: "https://tea.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      skills: [{ id: "prompt" }, { id: "skill:pour", description: "How to pour." }],
    });
  });

  test("--format agents-md is the prose with calls of the tools and paths of the skills", async () => {
    const { stdout } = await exported(["--format", "agents-md"]);
    expect(stdout).toStartWith("# Agent: Tea Master\n\n## Purpose\n\nBrew tea.\n");
    expect(stdout).toContain('  mdx-ai tool tea brew --json \'{"kind":"green"}\'\n');
    expect(stdout).toContain("- [pour](tea/skills/pour/SKILL.md): How to pour.\n");
    expect(stdout).not.toContain("execute");
  });

  test("--format docs is a page about the agent", async () => {
    const { stdout } = await exported(["--format", "docs"]);
    expect(stdout).toStartWith("# Tea Master\n\nKnows all about tea.\n");
    expect(stdout).toContain('| `kind` | string | Green \\| black; one of `"green"`, `"black"` |\n');
    expect(stdout).toContain("| `minutes` | integer, optional | at least 1; at most 9 |\n");
    for (const part of [
      "- Never coffee",
      "| pour | How to pour. |",
      "- `shop`: `tea-shop`",
      "- `KETTLE`\n- `SHOP_KEY`",
    ]) {
      expect(stdout).toContain(part);
    }
  });

  test("--output writes all formats to a folder, of which a check finds nothing wrong, and replaces nothing", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, FILES);
    const run = (...args: readonly string[]) => runCommandLine(args, { home: home.path });
    const words = ["export", "tea", "--output", "out", "--url", "https://tea.example/a2a"];
    expect(await run(...words)).toMatchObject({ exitCode: 0, stderr: "" });
    for (const name of [".mcp.json", "agent-card.json", "AGENTS.md", "DOCUMENTATION.md"])
      expect(existsSync(join(home.path, "out", name))).toBe(true);
    expect(await run("check", "out")).toEqual({ exitCode: 0, stdout: "No mistakes found in 2 files\n", stderr: "" });
    writeFileSync(join(home.path, "out/.mcp.json"), "mine");
    expect(await run(...words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("already exists") });
    expect(readFileSync(join(home.path, "out/.mcp.json"), "utf8")).toBe("mine");
  });

  test.each([
    [[], /--format mcp, a2a, agents-md or docs, or --output FOLDER/],
    [["--format", "a2a"], /--url ADDRESS/],
    [["--format", "mcp", "--url", "tea"], /--url needs an address/],
    [["--format", "xml"], /--format needs mcp, a2a, agents-md or docs/],
  ] as const)("%j says what is missing", async (args, message) => {
    const { exitCode, stderr } = await exported(args);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
  });
});
