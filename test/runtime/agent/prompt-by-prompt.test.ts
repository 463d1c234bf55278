import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { failureReply, textReply, toolReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { open, sent } from "../../support/prompt-by-prompt.ts";
import { requireProgram } from "../../support/require-program.ts";

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
