import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const AGENT = `# Agent: A

## Purpose

Say where it is.

<Tool name="where" description="Where it runs">

\`\`\`ts
const execute = (_params: object, ctx: ToolContext) => JSON.stringify({ cwd: ctx.cwd, here: process.cwd() });
\`\`\`

</Tool>
`;

describe.skipIf(requireProgram("bwrap"))("in a folder of the home folder that the sandbox hides", () => {
  test("tools of an agent elsewhere run, in the agent directory", async () => {
    using home = temporaryDirectory();
    const agent = writeFiles(join(home.path, "agent"), { "agent.mdx": AGENT, "skills/.keep": "" });
    const cwd = join(home.path, "project");
    mkdirSync(cwd);
    const { exitCode, stdout, stderr } = await runCli(["tool", "../agent", "where", "--trust"], {
      home: home.path,
      cwd,
    });
    expect({ exitCode, stderr, ...JSON.parse(stdout || "{}") }).toEqual({ exitCode: 0, stderr: "", cwd, here: agent });
  });

  test("bare tools run in that folder", async () => {
    using home = temporaryDirectory();
    writeFiles(join(home.path, "agent"), { "agent.mdx": AGENT, "skills/.keep": "" });
    const cwd = join(home.path, "project");
    mkdirSync(cwd);
    const { stdout } = await runCli(["tool", "../agent", "where", "--trust", "--sandbox", "off"], {
      home: home.path,
      cwd,
    });
    expect(JSON.parse(stdout)).toEqual({ cwd, here: cwd });
  });
});
