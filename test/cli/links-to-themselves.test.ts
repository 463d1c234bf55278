import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { writeText } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TEXT = '{"text": "done"}\n';

describe("a link that leads to itself", () => {
  test.each<[string, ...string[]]>([
    ["agent", "-p", "hi", "--trust"],
    ["inspect"],
    ["trust"],
    ["lock"],
    ["mcp", "--trust"],
    ["check"],
    ["sandbox"],
  ])("among the skills is a warning of %s", async (command, ...args) => {
    using agent = agentDirectory({ "skills/.keep": "" });
    using home = temporaryDirectory();
    symlinkSync("loop", join(agent.path, "skills/loop"));
    writeText(join(home.path, "script.jsonl"), TEXT);
    const script = command === "agent" ? ["--model", "script:script.jsonl"] : [];
    const { exitCode, stdout, stderr } = await runCommandLine([command, agent.path, ...args, ...script], {
      home: home.path,
    });
    expect([exitCode, `${stdout}${stderr}`]).toEqual([
      0,
      expect.stringContaining(
        "skills/loop:1:1 warning file-unreadable cannot read the folder: its link leads to itself",
      ),
    ]);
  });
});
