import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import type { AgentModule } from "@mdx-ai/runtime";
import { MINIMAL_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { scriptReference } from "../../../../test/support/replies.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { programMemory } from "./program-memory.ts";

test("what cannot be opened once is a warning, and is opened for the next prompt", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "agent.mdx": MINIMAL_AGENT });
  const directory = await readAgentDirectory(folder.path);
  const silent = await openModel(scriptReference(folder.path, []), { environment: {} });
  const warnings: string[] = [];
  let looks = 0;
  const model: LanguageModel = {
    get provider(): string {
      looks += 1;
      if (looks === 1) throw new Error("no answer from the wallet");
      return "test";
    },
    name: "test",
    stream: (request, signal) => silent.stream(request, signal),
  };
  const memory = programMemory({
    ...{ ofUser: "on", model, openModel: async () => model, isRemembering: true, clock: { now: () => 0 } },
    ...{
      dataDirectory: folder.path,
      environment: {},
      redact: (text) => text,
      onWarning: (text) => warnings.push(text),
    },
  });
  const runCommand = async () => ({ exitCode: 0, hasStarted: true, stdout: "", stderr: "" });
  const [module] = await memory.modulesOf(directory, { spend: async () => {}, runCommand });
  const remember = (prompt: number): ReturnType<NonNullable<AgentModule["afterPrompt"]>> | undefined =>
    module?.afterPrompt?.({
      ...{
        session: "main",
        sessionKey: "main",
        cwd: "/",
        mode: "ask",
        prompt,
        inputs: [`input ${prompt}`],
        text: "",
        tools: [],
        outcome: "done",
      },
    });
  await remember(1);
  expect(warnings).toStrictEqual(["not remembered: no answer from the wallet"]);
  await remember(2);
  expect(readdirSync(join(folder.path, "state/memory/pending/main"))).toStrictEqual(["000000002.json"]);
  await memory.onClose?.();
});
