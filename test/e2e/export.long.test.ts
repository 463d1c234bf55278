import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { cliCommand } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("another agent has the tools of an agent by its exported configuration", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "tea/agent.mdx": GREETING_AGENT,
    "other/agent.mdx": "# Agent: Other\n\n## Purpose\n\nAsk.\n",
  });
  const bin = join(home.path, "bin");
  writeFiles(bin, {
    "mdx-ai": `#!/bin/sh\nexec ${cliCommand([])
      .map((word) => `'${word}'`)
      .join(" ")} "$@"\n`,
  });
  chmodSync(join(bin, "mdx-ai"), 0o755);
  const environment = { PATH: `${bin}:${process.env["PATH"]}` };
  const run = (...args: readonly string[]) => runCommandLine(args, { home: home.path, environment });
  await run("trust", "tea");
  await run("export", "tea", "--format", "mcp", "--output", "servers.json");
  const { stdout, exitCode } = await run("mcp", "other", "--mcp-config", "servers.json", "--trust");
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("greet") });
}, 60_000);
