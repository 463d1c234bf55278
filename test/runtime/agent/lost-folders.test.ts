import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { toolHostCommand } from "../../support/tool-host-command.ts";

test("state and logs that are removed while the agent is open are made again by the next prompt, without a warning", async () => {
  using directory = agentDirectory();
  using scripts = temporaryDirectory();
  const reference = scriptReference(scripts.path, [{ text: "one" }, { text: "two" }]);
  const warnings: string[] = [];
  const agent = await openAgent({
    directory: await readAgentDirectory(directory.path),
    model: await openModel(reference, { environment: {} }),
    cwd: directory.path,
    toolHostCommand,
    environment: process.env,
    onWarning: (message) => warnings.push(message),
  });
  await Array.fromAsync(agent.prompt("first"));
  while (!readdirSync(directory.path).includes("logs")) await Bun.sleep(5);
  for (const folder of ["state", "logs"]) rmSync(join(directory.path, folder), { recursive: true });
  await Array.fromAsync(agent.prompt("second"));
  await agent.close();

  const state = JSON.parse(readFileSync(join(directory.path, "state/agent-state.json"), "utf8"));
  expect(state).toMatchObject({ promptCount: 2 });
  const logs = join(directory.path, "logs");
  const log = readdirSync(logs).map((file) => readFileSync(join(logs, file), "utf8"));
  expect(log.join("")).toContain("assistant: two");
  expect(warnings).toEqual([]);
});
