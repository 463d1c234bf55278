import { expect, test } from "bun:test";
import { Role, type StreamResponse } from "@a2a-js/sdk";
import {
  all,
  answerOf,
  COMMAND,
  clientOf,
  dataPart,
  get,
  requestOf,
  send,
  stateOf,
  textOf,
} from "../../support/a2a-client.ts";
import { bodyOf, serveAgent } from "../../support/served-agent.ts";

/** Updates as short words: a state, or "+text" or "=text" of the answer. */
function shown({ payload }: StreamResponse): string {
  switch (payload?.$case) {
    case "task":
      return `task ${stateOf(payload.value)}`;
    case "statusUpdate":
      return stateOf(payload.value);
    case "artifactUpdate":
      return `${payload.value.append ? "+" : "="}${textOf(payload.value.artifact?.parts)}`;
    default:
      return "?";
  }
}

test("the card names the agent, its skills and its endpoint; the only agent has it at the server's root, too", async () => {
  const skill = "---\nname: baking\ndescription: Bakes bread.\n---\n\nBake.\n";
  await using agent = await serveAgent({
    files: {
      "agent.mdx": "---\ndescription: Helps.\n---\n\n# Agent: Helper\n\n## Purpose\n\nHelps a lot.\n",
      "skills/baking/SKILL.md": skill,
    },
  });
  await agent.opening;
  const client = await clientOf(agent);
  const card = await bodyOf(await agent.send("GET", "/.well-known/agent-card.json"));
  expect(card).toMatchObject({
    ...{ name: "Helper", description: "Helps.", version: "1.2.3", capabilities: { streaming: true } },
    supportedInterfaces: [
      { url: `${agent.server.url}/api/agents/agent/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    skills: [
      { id: "prompt", name: "Helper" },
      { id: "skill:baking", name: "baking", description: "Bakes bread." },
    ],
  });
  expect((await client.getAgentCard()).skills.map(({ id }) => id)).toEqual(["prompt", "skill:baking"]);
  const proxied = await agent.send("GET", ".well-known/agent-card.json", undefined, { "x-forwarded-proto": "https" });
  expect((await bodyOf(proxied)).supportedInterfaces[0].url).toStartWith("https://127.0.0.1:");
});

test("a message is a prompt, and a message of its context continues the session, also after a restart", async () => {
  await using agent = await serveAgent({ replies: [{ text: "Hello, Ann." }, { text: "You are Ann." }] });
  const client = await clientOf(agent, "/");
  const first = await send(client, "I am Ann");
  expect([stateOf(first), answerOf(first)]).toEqual(["TASK_STATE_COMPLETED", "Hello, Ann."]);
  expect(first.history.map(({ role, parts }) => [Role[role], textOf(parts)])).toEqual([
    ["ROLE_USER", "I am Ann"],
    ["ROLE_AGENT", "Hello, Ann."],
  ]);
  const second = await send(client, "Who am I?", { contextId: first.contextId });
  expect([second.contextId, answerOf(second)]).toEqual([first.contextId, "You are Ann."]);
  expect((await agent.json("GET", `sessions/${first.contextId}`)).prompts).toBe(2);
  await agent.server.stop();
  await using later = await serveAgent({
    directory: agent.directory,
    home: agent.home,
    replies: [{ text: "Yes." }, { text: "Still." }],
  });
  const again = await clientOf(later);
  expect(answerOf(await get(again, first.id))).toBe("Hello, Ann.");
  expect((await get(again, second.id, 1)).history.map(({ parts }) => textOf(parts))).toEqual(["You are Ann."]);
  const { tasks } = await again.listTasks({
    ...{ tenant: "", contextId: first.contextId, status: 0, pageToken: "", statusTimestampAfter: undefined },
  });
  expect(tasks.map(({ id }) => id)).toEqual([second.id, first.id]);
  const other = await send(again, "Is anyone there?");
  const page = (pageToken: string) =>
    again.listTasks({
      ...{ tenant: "", contextId: "", status: 0, pageSize: 2, pageToken, statusTimestampAfter: undefined },
    });
  const newest = await page("");
  expect([newest.totalSize, newest.tasks.map(({ id }) => id)]).toEqual([3, [other.id, second.id]]);
  expect((await page(newest.nextPageToken)).tasks.map(({ id }) => id)).toEqual([first.id]);
  expect(answerOf(await send(again, "And now?", { contextId: first.contextId }))).toBe("Still.");
});

test("a stream has the task, its states, and the answer as it is written", async () => {
  const read = { text: "I look.", calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }] };
  await using agent = await serveAgent({ replies: [read, { deltas: ["It is ", "a test."] }] });
  const client = await clientOf(agent);
  const updates = await all(client.sendMessageStream(requestOf("What is it?")));
  expect(updates.map(shown)).toEqual([
    ...["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "=I look.", "=It is ", "+a test.", "TASK_STATE_COMPLETED"],
  ]);
});

test("a question is a state of the task; a message with a word or with data answers it", async () => {
  await using agent = await serveAgent({ replies: [COMMAND, { text: "made it" }, COMMAND, { text: "well" }] });
  const client = await clientOf(agent);
  const asked = await send(client, "make it");
  expect(stateOf(asked)).toBe("TASK_STATE_INPUT_REQUIRED");
  const { parts = [] } = asked.status?.message ?? {};
  expect(textOf(parts)).toContain("touch made");
  expect(parts.find(({ content }) => content?.$case === "data")?.content?.value).toMatchObject({
    ...{ question: "1.1.1", kind: "approval", words: expect.arrayContaining(["yes", "no"]) },
  });
  const of = { taskId: asked.id, contextId: asked.contextId };
  await expect(send(client, "perhaps", of)).rejects.toThrow(/takes one of yes, no/);
  const updates = await all(client.sendMessageStream(requestOf("yes", of)));
  expect(updates.map(shown)).toEqual([
    ...["task TASK_STATE_WORKING", "TASK_STATE_WORKING", "=made it", "TASK_STATE_COMPLETED"],
  ]);
  await expect(send(client, "more", of)).rejects.toThrow(/has ended/);
  const other = await send(client, "again", { contextId: asked.contextId });
  const denied = await send(client, [dataPart({ answer: "no" })], { taskId: other.id });
  expect([stateOf(denied), answerOf(denied)]).toEqual(["TASK_STATE_COMPLETED", "well"]);
});

test("a task is read, followed and cancelled while it runs; a client that left cancels nothing", async () => {
  const slow = { deltas: Array.from({ length: 4_000 }, () => "one "), deltaDelay: 20 };
  await using agent = await serveAgent({ replies: [slow, { text: "next" }] });
  const client = await clientOf(agent);
  const begun = await send(client, "count", {}, true);
  expect(stateOf(begun)).toBe("TASK_STATE_SUBMITTED");
  for await (const update of client.resubscribeTask({ tenant: "", id: begun.id }))
    if (shown(update).startsWith("=")) break;
  expect(stateOf(await get(client, begun.id))).toBe("TASK_STATE_WORKING");
  const queued = await send(client, "later", { contextId: begun.contextId }, true);
  expect(stateOf(await client.cancelTask({ tenant: "", id: queued.id, metadata: undefined }))).toBe(
    "TASK_STATE_CANCELED",
  );
  const cancelled = await client.cancelTask({ tenant: "", id: begun.id, metadata: undefined });
  expect(stateOf(cancelled)).toBe("TASK_STATE_CANCELED");
  expect(stateOf(await get(client, begun.id))).toBe("TASK_STATE_CANCELED");
  await expect(client.cancelTask({ tenant: "", id: begun.id, metadata: undefined })).rejects.toThrow(/does not run/);
});
