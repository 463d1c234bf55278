import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import type { LanguageModel, Message } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { assistantMessage } from "../../support/model-request.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A model that answers when it is allowed to, and knows who asks at the moment. */
class PatientModel implements LanguageModel {
  readonly provider = "test";
  readonly name = "patient";
  readonly asking = new Set<string>();
  readonly requests: (readonly Message[])[] = [];
  most = 0;
  readonly #go = new Map<string, () => void>();

  async *stream(...[{ messages }, signal]: Parameters<LanguageModel["stream"]>): ReturnType<LanguageModel["stream"]> {
    const text =
      messages.flatMap(({ content }) => content.flatMap((block) => ("text" in block ? [block.text] : []))).at(-1) ?? "";
    this.requests.push([...messages]);
    this.asking.add(text);
    this.most = Math.max(this.most, this.asking.size);
    await new Promise<void>((resolve) => {
      this.#go.set(text, resolve);
      signal.addEventListener("abort", () => resolve());
    });
    this.asking.delete(text);
    const end = signal.aborted ? { stopReason: "aborted" as const, errorMessage: "aborted" } : {};
    yield { type: "done", message: assistantMessage([{ type: "text", text: `to ${text}` }], end) };
  }

  answer(...texts: readonly string[]): void {
    for (const text of texts) this.#go.get(text)?.();
  }
}

const outcomes = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === "agent_end" ? [event.outcome] : []));

const texts = async (agent: Agent, session: string): Promise<readonly unknown[]> =>
  (await agent.session(session).messages()).map(({ content }) =>
    content.map((block) => ("text" in block ? block.text : "")).join(),
  );

const idsOf = (events: readonly AgentEvent[]): string[] => events.flatMap(({ id }) => id ?? []);

/** The events of a session until so many prompts have ended. */
async function eventsUntil(stream: AsyncIterable<AgentEvent>, prompts = 1): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (outcomes(events).length === prompts) break;
  }
  return events;
}

test("sessions run side by side, each with its own transcript; a session runs one prompt at a time", async () => {
  using directory = agentDirectory();
  const model = new PatientModel();
  const agent = await openScriptAgent(directory.path, [], { model });
  const one = Array.fromAsync(agent.session("a").prompt("one"));
  const behind = Array.fromAsync(agent.session("a").prompt("behind"));
  const two = Array.fromAsync(agent.session("b").prompt("two"));
  await eventually(() => expect(model.asking.size).toBe(2));
  expect([...model.asking].sort()).toStrictEqual(["one", "two"]);
  model.answer("two");
  expect(outcomes(await two)).toStrictEqual(["done"]);
  expect([...model.asking]).toStrictEqual(["one"]);
  model.answer("one");
  await one;
  await eventually(() => model.asking.has("behind"));
  model.answer("behind");
  await behind;
  expect(await texts(agent, "a")).toStrictEqual(["one", "to one", "behind", "to behind"]);
  expect(await texts(agent, "b")).toStrictEqual(["two", "to two"]);
  await agent.close();
});

test("limits.sessions is how many run side by side; others wait for their turn", async () => {
  using directory = agentDirectory({ "agent.mdx": `---\nlimits: { sessions: 2 }\n---\n${MINIMAL_AGENT}` });
  const model = new PatientModel();
  const agent = await openScriptAgent(directory.path, [], { model });
  const names = ["a", "b", "c", "d"];
  const prompts = names.map((name) => Array.fromAsync(agent.session(name).prompt(name)));
  for (let round = 0; round < 2; round++) {
    await eventually(() => expect(model.asking.size).toBe(2));
    model.answer(...model.asking);
    await eventually(() => expect(model.requests).toHaveLength(4));
  }
  expect((await Promise.all(prompts)).flatMap(outcomes)).toStrictEqual(["done", "done", "done", "done"]);
  expect(model.most).toBe(2);
  await agent.close();
});

test("a prompt that is submitted is on disk when its id is known, and the same key is the same prompt, after a restart, too", async () => {
  using directory = agentDirectory();
  const journal = join(directory.path, "sessions/main/journal.jsonl");
  const model = new PatientModel();
  const agent = await openScriptAgent(directory.path, [], { model });
  expect(await agent.session().submit("first", { key: "k1" })).toBe("k1");
  expect(readFileSync(journal, "utf8")).toContain('"id":"k1"');
  const second = await agent.session().submit("second");
  expect(readFileSync(journal, "utf8")).toContain(second);
  expect(await agent.session().submit("first", { key: "k1" })).toBe("k1");
  const end = eventsUntil(agent.session("main").events(), 2);
  for (const text of ["first", "second"]) {
    await eventually(() => model.asking.has(text));
    model.answer(text);
  }
  expect(outcomes(await end)).toStrictEqual(["done", "done"]);
  await agent.close();

  const later = await openScriptAgent(directory.path, [], { model: new PatientModel() });
  expect(await later.session().submit("first", { key: "k1" })).toBe("k1");
  expect(await texts(later, "main")).toStrictEqual(["first", "to first", "second", "to second"]);
  await later.close();
});

test("what was submitted and waits when the process ends runs in the next one", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ deltas: ["a", "b"], deltaDelay: 600_000 }]);
  await agent.session().submit("first");
  await agent.session().submit("second", { key: "later" });
  await agent.close();
  const next = await openScriptAgent(directory.path, [{ text: "done" }, { text: "done" }]);
  expect((await next.session().pendingPrompts()).map(({ input }) => input)).toStrictEqual(["first", "second"]);
  expect(outcomes(await Array.fromAsync(next.session().resume()))).toStrictEqual(["done", "done"]);
  expect(await next.session().submit("second", { key: "later" })).toBe("later");
  expect(await next.session().messages()).toHaveLength(4);
  await next.close();
});

test("a prompt that waits or runs is cancelled by its id; no other one is", async () => {
  using directory = agentDirectory();
  const model = new PatientModel();
  const agent = await openScriptAgent(directory.path, [], { model });
  const events = eventsUntil(agent.session().events(), 2);
  const running = await agent.session().submit("running");
  const waiting = await agent.session().submit("waiting");
  const last = await agent.session().submit("last");
  await eventually(() => model.asking.has("running"));
  expect(await agent.session().cancel(waiting)).toBe(true);
  expect(await agent.session().cancel(running)).toBe(true);
  expect(await agent.session().cancel("unknown")).toBe(false);
  await eventually(() => model.asking.has("last"));
  model.answer("last");
  expect(outcomes(await events)).toStrictEqual(["aborted", "done"]);
  await agent.session().release();
  expect(await agent.session().cancel(last)).toBe(false);
  expect((await texts(agent, "main")).filter((text) => text === "waiting")).toStrictEqual([]);
  await agent.close();
});

test("any number of readers get the events of a session, live and past, from an id on; one that leaves can resume where it was", async () => {
  using directory = agentDirectory({ "note.txt": "noted" });
  const look = { calls: [{ id: "a", name: "read_file", arguments: { path: "note.txt" } }] };
  const replies = [look, { text: "one" }, { text: "two" }];
  const agent = await openScriptAgent(directory.path, replies);
  const readers = [agent.session().events(), agent.session().events()].map((stream) => eventsUntil(stream));
  await agent.session().submit("first");
  const [live = [], other = []] = await Promise.all(readers);
  expect(idsOf(other)).toStrictEqual(idsOf(live));
  const ids = idsOf(live);
  expect(ids.slice(0, 3)).toStrictEqual(["1.1", "1.2", "1.3"]);
  expect(idsOf(await eventsUntil(agent.session("main").events({ after: ids[4] ?? "" })))).toStrictEqual(ids.slice(5));
  await agent.close();

  const again = await openScriptAgent(directory.path, [{ text: "two" }]);
  const past = eventsUntil(again.session("main").events({ after: "0.0" }), 2);
  await Bun.sleep(20);
  await again.session().submit("second");
  const all = await past;
  expect(idsOf(all).slice(0, ids.length)).toStrictEqual(ids);
  expect(idsOf(all)[ids.length]).toBe("2.1");
  const lasting = (events: readonly AgentEvent[]): AgentEvent[] =>
    events.filter(({ id, type }) => id !== undefined && type !== "message_start");
  expect(lasting(all).slice(0, lasting(live).length)).toEqual(lasting(live));
  await again.close();
});

test("a reader that does not read delays no other, and misses only updates", async () => {
  using directory = agentDirectory();
  const deltas = Array.from({ length: 4500 }, (_, number) => `${number} `);
  const agent = await openScriptAgent(directory.path, [{ deltas }, { text: "two" }]);
  const slow = agent.session("main").events()[Symbol.asyncIterator]();
  const first = slow.next();
  for (const text of ["one", "two"])
    expect(outcomes(await Array.fromAsync(agent.session().prompt(text)))).toStrictEqual(["done"]);
  const events = [(await first).value];
  while (events.at(-1)?.type !== "agent_end" || !events.at(-1)?.id?.startsWith("2."))
    events.push((await slow.next()).value);
  const ids = idsOf(events);
  expect(ids).toStrictEqual([...new Set(ids)]);
  expect(ids.filter((id) => id.startsWith("1."))).toHaveLength(8);
  await agent.close();
});

test("the working directory of a session is its own", async () => {
  using directory = agentDirectory({
    "agent.mdx": `${MINIMAL_AGENT}
<Tool name="where" description="Says where">

\`\`\`ts
async function execute(_params: {}, ctx: ToolContext) {
  return ctx.cwd;
}
\`\`\`

</Tool>
`,
    "elsewhere/keep.txt": "",
  });
  const where = { calls: [{ id: "a", name: "where", arguments: {} }] };
  const agent = await openScriptAgent(directory.path, [where, { text: "x" }, where, { text: "y" }]);
  const cwd = join(directory.path, "elsewhere");
  await Array.fromAsync(agent.session("a").prompt("go", { cwd }));
  await Array.fromAsync(agent.session("b").prompt("go"));
  expect((await texts(agent, "a"))[2]).toBe(cwd);
  expect((await texts(agent, "b"))[2]).toBe(directory.path);
  await agent.close();
});

test("what a tool keeps in its process stays within its session", async () => {
  const code = "let calls = 0;\nasync function execute() {\n  calls += 1;\n  return String(calls);\n}";
  const tool = `<Tool name="count" description="Counts">\n\n\`\`\`ts\n${code}\n\`\`\`\n\n</Tool>`;
  using directory = agentDirectory({ "agent.mdx": `${MINIMAL_AGENT}\n${tool}\n` });
  const count = { calls: [{ id: "a", name: "count", arguments: {} }] };
  const replies = ["1", "2", "3"].flatMap((text) => [count, { text }]);
  const agent = await openScriptAgent(directory.path, replies, { sandbox: { mode: "off" } });
  for (const session of ["a", "b", "a"]) await Array.fromAsync(agent.session(session).prompt("go"));
  const results = async (session: string) => (await texts(agent, session)).filter((_, at) => at % 4 === 2);
  expect(await results("a")).toStrictEqual(["1", "2"]);
  expect(await results("b")).toStrictEqual(["1"]);
  await agent.close();
});

test("the model and the window of messages that an edit brings count from the very next prompt; a wider window begins at an input again", async () => {
  using directory = agentDirectory();
  const models = ["one", "two"].map((name) => Object.assign(new PatientModel(), { name }));
  const [one, two] = models;
  if (!one || !two) throw new Error("there are two models");
  let asked = 0;
  const { definition, ...read } = await readAgentDirectory(directory.path);
  const withMessages = (messages: number) => ({
    ...read,
    definition: { ...definition, settings: { ...definition.settings, context: { messages } } },
  });
  const changes = [
    { directory: withMessages(2), model: one },
    { directory: withMessages(2), model: two },
    { directory: withMessages(5), model: two },
  ];
  const agent = await openScriptAgent(directory.path, [], { model: one, refresh: async () => changes[asked++] });
  const sent: number[] = [];
  for (const [number, model] of [one, two, two].entries()) {
    const done = Array.fromAsync(agent.session().prompt(`prompt ${number}`));
    await eventually(() => model.asking.has(`prompt ${number}`));
    model.answer(`prompt ${number}`);
    await done;
    sent.push((await agent.session().messages()).length);
  }
  const answers = (await agent.session().messages()).flatMap((message) =>
    message.role === "assistant" ? [message.stopReason] : [],
  );
  expect(answers).toStrictEqual(["stop", "stop", "stop"]);
  expect(sent).toStrictEqual([2, 4, 6]);
  expect([one.requests, two.requests].map((requests) => requests.length)).toStrictEqual([1, 2]);
  expect(two.requests.map((messages) => messages.map(({ role }) => role))).toStrictEqual([
    ["user"],
    ["user", "assistant", "user", "assistant", "user"],
  ]);
  await agent.close();
});

test("100 sessions of one agent run in one process", async () => {
  using directory = agentDirectory({ "agent.mdx": `---\nlimits: { sessions: 100 }\n---\n${MINIMAL_AGENT}` });
  const model = new PatientModel();
  const agent = await openScriptAgent(directory.path, [], { model });
  const names = Array.from({ length: 100 }, (_, number) => `s${number}`);
  const prompts = names.map((name) => Array.fromAsync(agent.session(name).prompt(name)));
  await eventually(() => expect(model.asking.size).toBe(100));
  model.answer(...names);
  expect((await Promise.all(prompts)).flatMap(outcomes)).toStrictEqual(names.map(() => "done"));
  expect(names.every((name) => existsSync(join(directory.path, "sessions", name, "history.json")))).toBe(true);
  await agent.close();
});
