import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { writeText } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const CALL = '{"calls": [{"name": "bash", "arguments": {"command": "echo ran"}}]}\n{"text": "done"}\n';

describe("a link that leads to itself", () => {
  test.skipIf(requireProgram("bwrap")).each([".git", "package.json", "AGENT.md", "tools"])(
    "as %s hinders no command in the sandbox",
    async (name) => {
      using agent = agentDirectory({ "skills/.keep": "" });
      using home = temporaryDirectory();
      symlinkSync(name, join(agent.path, name));
      writeText(join(home.path, "script.jsonl"), CALL);
      const run = ["-p", "hi", "--trust", "--allow", "bash", "--model", "script:script.jsonl"];
      const { exitCode, stderr } = await runCommandLine(["agent", agent.path, ...run], { home: home.path });
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("✓ bash")]);
    },
  );

  test.skipIf(requireProgram("bwrap"))("as state is named by a command, which does not run", async () => {
    using agent = agentDirectory();
    using home = temporaryDirectory();
    symlinkSync("state", join(agent.path, "state"));
    writeText(join(home.path, "script.jsonl"), CALL);
    const run = ["-p", "hi", "--trust", "--allow", "bash", "--model", "script:script.jsonl", "--json"];
    const { stdout } = await runCommandLine(["agent", agent.path, ...run], { home: home.path });
    expect(stdout).toContain(
      `no sandbox can be made at the moment: ${join(agent.path, "state/agent-state.json")}: symbolic links lead to themselves (ELOOP); replace them, then try again`,
    );
  });
});
