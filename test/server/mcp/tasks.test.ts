import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { eventually } from "../../support/eventually.ts";
import { type McpAgent, mcpAgent } from "../../support/mcp-agent.ts";
import { type Json, TOKEN } from "../../support/served-agent.ts";

const WRITE = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made.txt" } }] };

type Answer = (message: string) => Json;

/** The official client of revision 2025-11-25; `answer` answers forms. */
async function clientOf({ server }: McpAgent, answer?: Answer) {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { tasks: {}, ...(answer !== undefined && { elicitation: { form: {} } }) } },
  );
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  const transport: Json = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
  await client.connect(transport);
  return { client, tasks: client.experimental.tasks, [Symbol.asyncDispose]: () => client.close() };
}

/** Begins a prompt as a task; returns the id of the task. */
async function begun(
  { tasks }: Awaited<ReturnType<typeof clientOf>>,
  text: string,
  name = "prompt",
): Promise<{ readonly id: string; readonly rest: AsyncGenerator<Json> }> {
  const rest: AsyncGenerator<Json> = tasks.callToolStream({ name, arguments: { text } }, CallToolResultSchema, {
    task: { ttl: 60_000 },
  });
  const first = await rest.next();
  if (first.value.type !== "taskCreated") throw first.value.error;
  return { id: first.value.task.taskId, rest };
}

test("the tool prompt runs as a task: created at once, polled, listed, and its result read", async () => {
  await using agent = await mcpAgent({ replies: [{ text: "Hello." }] });
  await using connected = await clientOf(agent);
  const { tools } = await connected.client.listTools();
  expect(tools.find(({ name }) => name === "prompt")?.execution).toEqual({ taskSupport: "optional" });
  expect(connected.client.getServerCapabilities()?.tasks).toEqual({
    list: {},
    cancel: {},
    requests: { tools: { call: {} } },
  });
  const { id, rest } = await begun(connected, "Hi.");
  const seen: Json[] = await Array.fromAsync(rest);
  expect(seen.at(-1)).toMatchObject({
    type: "result",
    result: {
      content: [{ type: "text", text: "Hello." }],
      _meta: { "io.modelcontextprotocol/related-task": { taskId: id } },
    },
  });
  expect(await connected.tasks.getTask(id)).toMatchObject({ taskId: id, status: "completed", ttl: 60_000 });
  expect((await connected.tasks.listTasks()).tasks).toMatchObject([{ taskId: id, status: "completed" }]);
});

test("a question makes a task need input, and the client that waits for the result is asked", async () => {
  await using agent = await mcpAgent({ replies: [WRITE, { text: "Done." }] });
  const asked: string[] = [];
  await using connected = await clientOf(agent, (message) => {
    asked.push(message);
    return { action: "accept", content: { answer: "yes" } };
  });
  const { id } = await begun(connected, "Write.");
  while ((await connected.tasks.getTask(id)).status !== "input_required");
  expect((await connected.tasks.getTask(id)).statusMessage).toContain("mdx-ai answer");
  expect(asked).toEqual([]);
  const result = await connected.tasks.getTaskResult(id, CallToolResultSchema);
  expect(result.content).toEqual([{ type: "text", text: "Done." }]);
  expect(asked).toEqual([expect.stringContaining("made.txt")]);
  expect(existsSync(join(agent.directory, "made.txt"))).toBe(true);
});

test("a task outlives its connection, and an answer from elsewhere continues it", async () => {
  await using agent = await mcpAgent({ replies: [WRITE, { text: "Done." }] });
  const id = await (async () => {
    await using connected = await clientOf(agent);
    return (await begun(connected, "Write.")).id;
  })();
  await using other = await clientOf(agent);
  while ((await other.tasks.getTask(id)).status !== "input_required");
  const [, question, session] =
    /answer \S+ (\S+) yes --session (\S+)\b/.exec((await other.tasks.getTask(id)).statusMessage ?? "") ?? [];
  const result = other.tasks.getTaskResult(id, CallToolResultSchema);
  await agent.open.agent.session(session ?? "").answer(question ?? "", "no");
  expect((await result).content).toEqual([{ type: "text", text: "Done." }]);
  expect(existsSync(join(agent.directory, "made.txt"))).toBe(false);
});

test("a task is cancelled with its prompt, once", async () => {
  const slow = { deltas: ["a", "b"], deltaDelay: 600_000 };
  await using agent = await mcpAgent({ replies: [slow] });
  await using connected = await clientOf(agent);
  const { id } = await begun(connected, "Go.");
  const [{ uri = "" } = {}] = (await connected.client.listResources()).resources;
  const session = agent.open.agent.session(uri.replace("session://", ""));
  await eventually(() => session.activePrompts[0]?.state === "running");
  expect(await connected.tasks.cancelTask(id)).toMatchObject({ taskId: id, status: "cancelled" });
  await eventually(() => session.activePrompts.length === 0);
  expect(await connected.tasks.getTaskResult(id, CallToolResultSchema)).toMatchObject({ isError: true });
  expect(connected.tasks.cancelTask(id)).rejects.toThrow("has ended");
  expect((await connected.tasks.getTask(id)).status).toBe("cancelled");
});

test("a failed prompt is a failed task; unknown tasks, cursors and tools are errors", async () => {
  await using agent = await mcpAgent({ replies: [] });
  await using connected = await clientOf(agent);
  const { id } = await begun(connected, "Hi.");
  const result = await connected.tasks.getTaskResult(id, CallToolResultSchema);
  expect([result.isError, (await connected.tasks.getTask(id)).status]).toEqual([true, "failed"]);
  expect(connected.tasks.getTask("unknown")).rejects.toMatchObject({ code: -32602 });
  expect(connected.tasks.listTasks("unknown")).rejects.toMatchObject({ code: -32602 });
  expect(begun(connected, " ")).rejects.toMatchObject({ code: -32602 });
  expect(begun(connected, "ls", "bash")).rejects.toMatchObject({ code: -32601 });
});
