import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
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

const places = [
  { title: "are in the agent directory", args: [], cwd: "agent", here: "agent" },
  {
    title: "work in the folder of --cwd, which the sandbox shows",
    args: ["--cwd", "."],
    cwd: "project",
    here: "project",
  },
  { title: "without a sandbox are in the agent directory", args: ["--sandbox", "off"], cwd: "agent", here: "agent" },
  {
    title: "without a sandbox are in the folder of --cwd",
    args: ["--sandbox", "off", "--cwd", "."],
    cwd: "project",
    here: "project",
  },
];

describe.skipIf(requireProgram("bwrap"))("in a folder of the home folder that the sandbox hides", () => {
  test.each(places)("tools of an agent elsewhere $title", async ({ args, cwd, here }) => {
    using home = temporaryDirectory();
    writeFiles(join(home.path, "agent"), { "agent.mdx": AGENT, "skills/.keep": "" });
    mkdirSync(join(home.path, "project"));
    const { exitCode, stdout, stderr } = await runCommandLine(["tool", "../agent", "where", "--trust", ...args], {
      home: home.path,
      cwd: join(home.path, "project"),
    });
    const seen = { cwd: join(home.path, cwd), here: join(home.path, here) };
    expect({ exitCode, stderr, ...JSON.parse(stdout || "{}") }).toEqual({ exitCode: 0, stderr: "", ...seen });
  });
});
