import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { scriptReference } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** All that the log of an agent directory holds. */
function logged(directory: string): string {
  const logs = join(directory, "logs");
  const files = existsSync(logs) ? readdirSync(logs) : [];
  return files.map((file) => readFileSync(join(logs, file), "utf8")).join("");
}

test.skipIf(requireProgram("bwrap"))(
  "state and logs that are removed while the agent is open are made again by the next prompt, without a warning",
  async () => {
    using directory = agentDirectory();
    using scripts = temporaryDirectory();
    const reference = scriptReference(scripts.path, [{ text: "one" }, { text: "two" }]);
    const warnings: string[] = [];
    const agent = await openAgent({
      directory: await readAgentDirectory(directory.path),
      model: await openModel(reference, { environment: {} }),
      cwd: directory.path,
      toolHostCommand: toolHostCommand(),
      environment: process.env,
      onWarning: (message) => warnings.push(message),
    });
    await Array.fromAsync(agent.session().prompt("first"));
    await eventually(() => expect(logged(directory.path)).toContain("prompt done"));
    for (const folder of ["state", "logs"]) rmSync(join(directory.path, folder), { recursive: true });
    await Array.fromAsync(agent.session().prompt("second"));
    await agent.close();

    const state = JSON.parse(readFileSync(join(directory.path, "state/agent-state.json"), "utf8"));
    expect(state).toMatchObject({ promptCount: 2 });
    expect(logged(directory.path)).toContain("assistant: two");
    expect(logged(directory.path)).not.toContain("assistant: one");
    expect(warnings).toEqual([]);
  },
);
