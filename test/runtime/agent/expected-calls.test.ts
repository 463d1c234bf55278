import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { eventually, untilExists } from "../../support/eventually.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A model that waits in the middle of a call, when its tool is known and its arguments are not. */
async function waitingModel(replies: readonly Reply[], wait: () => Promise<unknown>): Promise<LanguageModel> {
  using scripts = temporaryDirectory();
  const script = await openModel(scriptReference(scripts.path, replies), { environment: {} });
  return {
    provider: script.provider,
    name: script.name,
    async *stream(request, signal) {
      for await (const event of script.stream(request, signal)) {
        yield event;
        if (event.type === "toolcall_start") await wait();
      }
    },
  };
}

const calling = (name: string, args: Readonly<Record<string, string>>): readonly Reply[] => [
  { calls: [{ id: "one", name, arguments: args }] },
  { text: "done" },
];

/** Is made with the first sandbox of an agent. */
const sandboxTrace = (directory: string): string => join(directory, "state/memory");

test.skipIf(requireProgram("bwrap")).each([
  ["the shell", calling("bash", { command: "echo made" })],
  ["a tool of agent.mdx", calling("look", { text: "sea" })],
])("the sandbox is made while the arguments of a call of %s arrive", async (_, replies) => {
  using directory = agentDirectory({ "agent.mdx": `# Agent: Expecting\n${toolText("look", 'return "seen";')}` });
  const trace = sandboxTrace(directory.path);
  const model = await waitingModel(replies, () => untilExists(trace));
  const agent = await openScriptAgent(directory.path, [], { model });
  expect(existsSync(trace)).toBe(false);
  expect((await Array.fromAsync(agent.session().prompt("Go"))).at(-1)).toMatchObject({ outcome: "done" });
  await agent.close();
});

test("no sandbox is made for a tool that needs none", async () => {
  using directory = agentDirectory();
  const model = await waitingModel(calling("read_file", { path: "agent.mdx" }), () => Bun.sleep(100));
  const agent = await openScriptAgent(directory.path, [], { model });
  await Array.fromAsync(agent.session().prompt("Go"));
  await agent.close();
  expect(existsSync(sandboxTrace(directory.path))).toBe(false);
});

test.skipIf(requireProgram("bwrap"))("a prompt that is cancelled meanwhile leaves no process behind", async () => {
  using directory = agentDirectory();
  const cancelling = new AbortController();
  const model = await waitingModel(calling("bash", { command: "echo made" }), async () => cancelling.abort());
  const agent = await openScriptAgent(directory.path, [], { model });
  await Array.fromAsync(agent.session().prompt("Go", { signal: cancelling.signal }));
  await agent.close();
  expect(existsSync(sandboxTrace(directory.path))).toBe(true);
  await eventually(() => expect(readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")).toBe(""));
});
