import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../support/agent-directory.ts";
import { overloaded, type Reply, scriptReference } from "../support/replies.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

async function run(
  first: readonly Reply[],
  others: readonly (readonly Reply[])[],
  prompts = 1,
): Promise<readonly AgentEvent[]> {
  using directory = agentDirectory();
  using scripts = temporaryDirectory();
  const fallbacks = await Promise.all(
    others.map((replies) => openModel(scriptReference(scripts.path, replies), { environment: {} })),
  );
  const agent = await openScriptAgent(directory.path, first, { fallbacks, retries: [0] });
  const events: AgentEvent[] = [];
  for (let prompt = 0; prompt < prompts; prompt++)
    events.push(...(await Array.fromAsync(agent.session().prompt("go"))));
  await agent.close();
  return events;
}

const answers = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === "agent_end"
      ? event.messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "text" ? block.text : [])))
      : [],
  );

const fallbacksOf = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === "model_fallback");

test("when a model stays unavailable the next one is asked, and an event says so", async () => {
  const events = await run([overloaded, overloaded], [[{ text: "from the second" }]]);
  const name = expect.stringMatching(/^script\/./);
  expect(fallbacksOf(events)).toMatchObject([{ type: "model_fallback", reason: "overloaded", from: name, to: name }]);
  expect(answers(events)).toEqual(["go", "from the second"]);
});

test.each([401, 403, 404])("status %d moves on at once", async (status) => {
  const events = await run([{ error: { message: "no", status } }], [[{ text: "second" }]]);
  expect(fallbacksOf(events)).toHaveLength(1);
  expect(answers(events)).toEqual(["go", "second"]);
});

test.each([400, 413])("status %d is the request's fault and ends the prompt", async (status) => {
  const events = await run([{ error: { message: "no", status } }], [[{ text: "second" }]]);
  expect(fallbacksOf(events)).toMatchObject([]);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "error" });
});

test("each model of a list gets its repetitions, and when all fail the last error ends the prompt", async () => {
  const events = await run(
    [overloaded, overloaded],
    [
      [overloaded, overloaded],
      [overloaded, { error: { message: "the end", status: 500 } }],
    ],
  );
  expect(fallbacksOf(events)).toHaveLength(2);
  expect(events.filter(({ type }) => type === "model_retry")).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ outcome: "error", messages: [{}, { errorMessage: "the end" }] });
});

test("the model that was moved to stays for the prompt; the next prompt begins with the first again", async () => {
  const calls = [{ id: "a", name: "read_file", arguments: { path: "agent.mdx" } }];
  const events = await run(
    [{ error: { message: "gone", status: 404 } }, { text: "back" }],
    [[{ calls }, { text: "second" }]],
    2,
  );
  expect(fallbacksOf(events)).toHaveLength(1);
  expect(answers(events).filter((text) => !text.includes("Purpose"))).toEqual(["go", "second", "go", "back"]);
});
