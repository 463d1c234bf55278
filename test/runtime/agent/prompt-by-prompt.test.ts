import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { failureReply, textReply, toolReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";

interface Opening {
  readonly server: AnthropicServer;
  readonly model?: string;
  readonly onBackgroundEnd?: () => void;
}

async function open(directory: string, { server, model = "claude-test", onBackgroundEnd }: Opening): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel(model, { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
    onBackgroundEvent: (event) => event.type === "agent_end" && onBackgroundEnd?.(),
  });
}

/** A module; what is not given does nothing. `ctx` stands for its context. */
const moduleText = (systemPrompt: string, start = ""): string => `
let ctx;
let prompts = 0;
export default {
  describe: () => ({ name: "one", description: "One" }),
  initialize: async (context) => { ctx = context; },
  tools: () => [],
  systemPrompt: () => ${systemPrompt},
  start: async () => { ${start} },
  stop: () => {},
};
`;

const sent = (server: AnthropicServer) => server.requests.map(({ text }) => JSON.parse(text));

test("the system prompt is made anew for each prompt, and stays the same from turn to turn within one", async () => {
  using directory = agentDirectory({ "modules/one.ts": moduleText('"This is prompt " + ++prompts + "."') });
  using server = anthropicServer(
    toolReply({ id: "a", name: "bash", input: { command: "true" } }),
    textReply("one"),
    textReply("two"),
  );
  const agent = await open(directory.path, { server });
  await Array.fromAsync(agent.session().prompt("first"));
  await Array.fromAsync(agent.session().prompt("second"));
  await agent.close();
  const numbers = sent(server).map(({ system }) => /This is prompt (\d)/.exec(JSON.stringify(system))?.[1]);
  expect(numbers).toEqual(["1", "1", "2"]);
});

test("a session that continues with another model sends that model the whole conversation", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(
    toolReply({ id: "a", name: "bash", input: { command: "echo from the shell" } }),
    textReply("the first answer"),
    textReply("the second answer"),
  );
  const first = await open(directory.path, { server, model: "claude-first" });
  await Array.fromAsync(first.session().prompt("the first question"));
  await first.close();
  const second = await open(directory.path, { server, model: "claude-second" });
  await Array.fromAsync(second.session().prompt("the second question"));
  await second.close();
  expect(sent(server).map(({ model }) => model)).toEqual(["claude-first", "claude-first", "claude-second"]);
  const { messages } = sent(server)[2];
  expect(messages.map(({ role }: { readonly role: string }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  const texts = ["the first question", '"tool_use"', "from the shell", "the first answer", "the second question"];
  for (const [index, text] of texts.entries()) expect(JSON.stringify(messages[index])).toContain(text);
});

test.skipIf(requireProgram("bwrap"))(
  "each prompt is logged from its text over its tools to its outcome: the user's, one that fails, and a module's",
  async () => {
    const ended = Promise.withResolvers<void>();
    using directory = agentDirectory({
      "modules/one.ts": moduleText('""', `setTimeout(() => ctx.prompt("from the module"), 0);`),
    });
    using server = anthropicServer(textReply("to the module"));
    const agent = await open(directory.path, { server, onBackgroundEnd: ended.resolve });
    await ended.promise;
    server.add(
      toolReply({ id: "a", name: "bash", input: { command: "echo out; exit 3" } }),
      textReply("done"),
      failureReply(400, "invalid_request_error", { message: "no such thing" }),
    );
    await Array.fromAsync(agent.session().prompt("first"));
    await Array.fromAsync(agent.session("work").prompt("second"));
    await agent.close();
    const logs = join(directory.path, "logs");
    const ofDays = readdirSync(logs).filter((file) => file.endsWith(".log"));
    const lines = ofDays.toSorted().flatMap((file) => readFileSync(join(logs, file), "utf8").trimEnd().split("\n"));
    expect(lines.map((line) => line.slice(line.indexOf(" ") + 1))).toEqual([
      "main#1 user: from the module",
      "main#1 assistant: to the module",
      "main#1 prompt done",
      "main#2 user: first",
      "main#2 assistant: ",
      'main#2 tool bash {"command":"echo out; exit 3"}',
      "main#2 tool bash failed: out\\n[exit code 3]",
      "main#2 assistant: done",
      "main#2 prompt done",
      "work#1 user: second",
      expect.stringMatching(/^work#1 assistant: error: .*no such thing/),
      "work#1 prompt error",
    ]);
    expect(JSON.parse(readFileSync(join(directory.path, "state/agent-state.json"), "utf8"))).toMatchObject({
      promptCount: 3,
    });
  },
);

test("an open agent asks another model where a prompt names one, and its own for the next", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(textReply("one"), textReply("two"));
  const agent = await open(directory.path, { server, model: "claude-own" });
  const model = await openModel("claude-other", { environment: server.environment });
  await Array.fromAsync(agent.session().prompt("first", { model }));
  await Array.fromAsync(agent.session().prompt("second"));
  await agent.close();
  expect(sent(server).map((body) => body.model)).toEqual(["claude-other", "claude-own"]);
});
