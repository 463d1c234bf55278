import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { answerEvents, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const bash = (id: string, command: string) => ({
  events: answerEvents([{ id, name: "bash", json: [JSON.stringify({ command })] }]),
});

/** A tool call that ends when somebody has made the file that is named after it. */
const waiting = (id: string) => bash(id, `while [ ! -e ${id} ]; do sleep 0.01; done; echo ended ${id}`);

/** Says something while a call runs, and lets it end. */
const during =
  (directory: string, say: (id: string) => Promise<unknown>) =>
  async (event: AgentEvent): Promise<void> => {
    if (event.type !== "tool_execution_start") return;
    await say(event.toolCallId);
    writeFileSync(join(directory, event.toolCallId), "");
  };

const open = async (directory: string, { environment }: AnthropicServer): Promise<Agent> =>
  openScriptAgent(directory, [], { model: await openModel("anthropic/claude-test", { environment }), retries: 0 });

/** Works off a prompt; `onEvent` may say something meanwhile. */
async function work(events: AsyncIterable<AgentEvent>, onEvent: (event: AgentEvent) => unknown = () => {}) {
  const told: AgentEvent[] = [];
  for await (const event of events) {
    told.push(event);
    await onEvent(event);
  }
  return told;
}

const userTexts = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "user"
      ? event.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

const rolesOf = async (agent: Agent): Promise<string> =>
  (await agent.session().messages()).map(({ role }) => ({ user: "u", assistant: "a", toolResult: "t" })[role]).join("");

const textsOf = (request: { readonly body: unknown } | undefined): string => JSON.stringify(request?.body);

test.skipIf(requireProgram("bwrap"))(
  "what is said while tools run reaches the model with their results, in its order, and stays in the transcript",
  async () => {
    using directory = agentDirectory();
    using server = anthropicServer(waiting("a"), textReply("Done."), textReply("Next."));
    const agent = await open(directory.path, server);
    const say = during(directory.path, async () => {
      expect(await agent.session().steer("rather two")).toBe(true);
      expect(await agent.session().steer("and three")).toBe(true);
    });
    const events = await work(agent.session().prompt("go"), say);
    expect(userTexts(events)).toStrictEqual(["go", "rather two", "and three"]);
    expect(await rolesOf(agent)).toBe("uatuua");
    expect(textsOf(server.requests[1])).toMatch(/ended a.*rather two.*and three/);
    await agent.close();
    const again = await open(directory.path, server);
    expect(await rolesOf(again)).toBe("uatuua");
    await work(again.session().prompt("next"));
    expect(server.requests.flatMap(({ refusal }) => refusal ?? [])).toStrictEqual([]);
    await again.close();
  },
);

test("what is said during the last answer is answered in one more turn", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(textReply("First."), textReply("Second."));
  const agent = await open(directory.path, server);
  let isSaid = false;
  await work(agent.session().prompt("go"), async (event) => {
    if (event.type !== "message_update" || isSaid) return;
    isSaid = true;
    await agent.session().steer("one more thing");
  });
  expect(await rolesOf(agent)).toBe("uaua");
  expect(server.requests).toHaveLength(2);
  await agent.close();
});

test.skipIf(requireProgram("bwrap"))("what the model did not receive is given back as it was typed", async () => {
  using directory = agentDirectory({
    "agent.mdx": "---\nlimits: { turns: 1 }\n---\n# Agent: A\n\n## Purpose\n\nTest.\n",
    "skills/pour/SKILL.md": "---\nname: pour\ndescription: Pours\n---\nPours.\n",
  });
  using server = anthropicServer(waiting("a"));
  const agent = await open(directory.path, server);
  const say = during(directory.path, async () => {
    await agent.session().steer("too late");
    await agent.session().steer("/skill:pour tea");
  });
  const events = await work(agent.session().prompt("go"), say);
  expect(events.at(-1)).toMatchObject({
    type: "agent_end",
    outcome: "limit",
    pendingInput: ["too late", "/skill:pour tea"],
  });
  expect(await rolesOf(agent)).toBe("uat");
  expect(await agent.session().steer("nobody runs")).toBe(false);
  await agent.close();
});

test("another session's prompt is not steered", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(waiting("a"), textReply("Done."));
  const agent = await open(directory.path, server);
  const say = during(directory.path, async () => expect(await agent.session().steer("hello")).toBe(false));
  await work(agent.session("one").prompt("go"), say);
  expect(await agent.session("one").messages()).toHaveLength(4);
  await agent.close();
});

test("a prompt that was killed after a steering message receives it again at the same point", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(waiting("a"), waiting("b"), textReply("Done."));
  const agent = await open(directory.path, server);
  await work(
    agent.session().prompt("go"),
    during(directory.path, (id) => agent.session().steer(`said during ${id}`)),
  );
  const whole = await rolesOf(agent);
  expect(whole).toBe("uatuatua");
  await agent.close();
  const path = join(directory.path, "sessions/main/journal.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const first = lines.findIndex((line) => line.includes('"step":"steer:1"'));
  for (let count = first + 1; count < lines.length; count++) {
    const kept = lines.slice(0, count);
    writeFileSync(path, kept.map((line) => `${line}\n`).join(""));
    using later = anthropicServer(...Array.from({ length: 5 }, () => textReply("Done.")));
    const resumed = await open(directory.path, later);
    const events = await work(resumed.session().resume());
    const said = kept.filter((line) => line.includes('"step":"steer:')).length;
    expect(userTexts(events)).toStrictEqual(["go", "said during a", "said during b"].slice(0, 1 + said));
    expect(whole).toStartWith((await rolesOf(resumed)).slice(0, said === 1 ? 4 : 7));
    const transcript = JSON.stringify(await resumed.session().messages());
    await resumed.close();
    const again = await open(directory.path, later);
    expect(JSON.stringify(await again.session().messages())).toBe(transcript);
    await work(again.session().prompt("next"));
    expect(later.requests.flatMap(({ refusal }) => refusal ?? [])).toStrictEqual([]);
    await again.close();
  }
});
