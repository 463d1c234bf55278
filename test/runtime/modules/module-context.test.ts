import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { MINUTE } from "../../support/heartbeat-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openWaking, userTexts } from "../../support/waking-agent.ts";

/** A module that runs `body`, with the context as `ctx`, in its `start`, and puts what it gets into `state.seen`. */
const starting = (body: string): Record<string, string> => ({
  "modules/one.ts": `let ctx;
export default {
  initialize: async (context) => void (ctx = context),
  start: async () => {${body}},
};
`,
});

const SEEN = "state/modules/one.json";

const valuesIn = (directory: string): Record<string, unknown> =>
  existsSync(join(directory, SEEN)) ? JSON.parse(readFileSync(join(directory, SEEN), "utf8")).values : {};

test("a module prompts any session, and a key makes a prompt run once, also after a restart", async () => {
  const body = `void ctx.prompt("news?", { session: "news", key: "n1" }).then(async ({ text }) =>
      ctx.state.set("seen", [...((await ctx.state.get("seen")) ?? []), text]));`;
  using directory = agentDirectory(starting(body));
  const seen = (): unknown => valuesIn(directory.path)["seen"];
  const first = await openWaking(directory.path, [{ text: "none" }, { text: "again" }]);
  await eventually(() => seen() !== undefined);
  expect(await userTexts(first.agent, "news")).toEqual(["news?"]);
  expect(await userTexts(first.agent)).toEqual([]);
  await first.agent.close();
  const second = await openWaking(directory.path, [{ text: "again" }]);
  await eventually(
    () => Array.isArray(seen()) && Bun.deepEquals(seen(), ["none", "none"]),
    () => JSON.stringify(seen()),
  );
  await second.agent.close();
});

test("prompts with one key at the same time run once, and both have the answer", async () => {
  const body = `void Promise.all(["a", "b"].map(() => ctx.prompt("news?", { key: "n1" }))).then((ends) =>
      ctx.state.set("seen", ends.map(({ text }) => text)));`;
  using directory = agentDirectory(starting(body));
  const { agent } = await openWaking(directory.path, [{ text: "none" }, { text: "again" }]);
  await eventually(() => valuesIn(directory.path)["seen"] !== undefined);
  expect(valuesIn(directory.path)["seen"]).toEqual(["none", "none"]);
  expect(await userTexts(agent)).toEqual(["news?"]);
  await agent.close();
});

test("a module cancels its prompt by a signal, while the close of the agent leaves it for the next process", async () => {
  const body = `const stop = new AbortController();
    const end = ctx.prompt("slow", { session: "a", signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    void end.then(({ outcome }) => ctx.state.set("seen", outcome));
    void ctx.prompt("slower", { session: "b", signal: ctx.signal });`;
  using directory = agentDirectory(starting(body));
  const { agent } = await openWaking(directory.path, [
    { text: "late", delay: 60_000 },
    { text: "late", delay: 60_000 },
  ]);
  await eventually(() => valuesIn(directory.path)["seen"] !== undefined);
  expect(valuesIn(directory.path)["seen"]).toBe("aborted");
  const journal = (id: string): string => readFileSync(join(directory.path, "sessions", id, "journal.jsonl"), "utf8");
  await eventually(
    () => existsSync(join(directory.path, "sessions/b/journal.jsonl")) && journal("b").includes("begin"),
  );
  await agent.close();
  using without = agentDirectory();
  const next = await openWaking(without.path, [], { dataDirectory: directory.path });
  expect(await next.agent.session("a").pendingPrompts()).toEqual([]);
  expect(await next.agent.session("b").pendingPrompts()).toMatchObject([{ state: "interrupted", input: "slower" }]);
  await next.agent.close();
});

test("a module's values outlive the process, in the data directory, and are only its own", async () => {
  const body = `const count = (await ctx.state.get("count")) ?? 0;
    await ctx.state.set("count", count + 1);
    await ctx.state.set("nested", { list: [1, null, "x"], "__proto__": 1 });
    await ctx.state.set("gone", true);
    await ctx.state.delete("gone");
    const refused = await Promise.all([undefined, () => 1, Number.NaN, "x".repeat(1_000_000)].map((value) =>
      ctx.state.set("bad", value).then(() => "kept", (error) => error.message)));
    await ctx.log([await ctx.state.keys(), refused].join(" | "));`;
  const other = `export default { initialize: async ({ state }) => void (await state.set("count", "other")) };`;
  using directory = agentDirectory({ ...starting(body), "modules/two.ts": other });
  using data = temporaryDirectory();
  for (const count of [1, 2]) {
    const { agent } = await openWaking(directory.path, [], { dataDirectory: data.path });
    await agent.close();
    expect(valuesIn(data.path)).toEqual({ count, nested: { list: [1, null, "x"] } });
  }
  expect(existsSync(join(directory.path, "state"))).toBe(false);
  const log = readFileSync(join(data.path, "logs/2026-11-21.log"), "utf8");
  expect(log).toContain(
    "one: count,nested | unexpected value at value, expected plain JSON,unexpected value at value, expected plain JSON," +
      "unexpected value at value, expected plain JSON,the values of a module may have 1 MB together",
  );
});

test("a module of an agent that writes nothing keeps its values for the run", async () => {
  const body = `await ctx.state.set("a", 1); await ctx.log("a is " + (await ctx.state.get("a")));`;
  using directory = agentDirectory(starting(body));
  const lines: string[] = [];
  const { agent } = await openWaking(directory.path, [], { ephemeral: true, onLog: (line) => lines.push(line) });
  await agent.close();
  expect([lines, existsSync(join(directory.path, SEEN))]).toEqual([["one: a is 1"], false]);
});

test("a module sees the events of all sessions, answers a question in them, and leaves", async () => {
  const body = `const seen = [];
    const leave = ctx.subscribe((event, session) => {
      seen.push(session + " " + event.type);
      if (event.type === "question_asked") void ctx.answer(event.question.id, "yes", session);
      if (event.type === "agent_end") { leave(); void ctx.state.set("seen", seen); }
    });`;
  using directory = agentDirectory({
    ...starting(body),
    "agent.mdx": "---\npermissions:\n  write_file: ask\n---\n# Agent: A\n\n## Purpose\n\nBe tested.\n",
  });
  const calls = [{ id: "1", name: "write_file", arguments: { path: "a.txt", content: "x" } }];
  const { agent } = await openWaking(directory.path, [{ calls }, { text: "written" }, { text: "unseen" }], {
    answersWithin: 3_600,
  });
  await Array.fromAsync(agent.session("other").prompt("write"));
  await Array.fromAsync(agent.session("other").prompt("more"));
  await eventually(() => valuesIn(directory.path)["seen"] !== undefined);
  await agent.close();
  expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("x");
  const seen = valuesIn(directory.path)["seen"];
  expect(seen).toContain("other question_answered");
  expect(Array.isArray(seen) && [seen.at(0), seen.at(-1)]).toEqual(["other agent_start", "other agent_end"]);
});

test("an answer to a question that is not open is refused", async () => {
  const body = `await ctx.answer("q9", "yes").catch((error) => ctx.state.set("seen", error.name));`;
  using directory = agentDirectory(starting(body));
  const { agent } = await openWaking(directory.path, []);
  await agent.close();
  expect(valuesIn(directory.path)["seen"]).toBe("UnknownQuestionError");
});

const scheduling = (when: string, run: string, more = ""): Record<string, string> =>
  starting(
    `await ctx.schedule({ name: "look", when: ${JSON.stringify(when)}, run: async (due) => {${run}}, ${more} });`,
  );

test("a task of a module runs by the scheduler of the heartbeat, without a heartbeat.md, and is recorded", async () => {
  const run = `await ctx.state.set("due", [...((await ctx.state.get("due")) ?? []), due.due.slice(11, 16) + " " + due.count]);`;
  using directory = agentDirectory(scheduling("15m", run));
  const { agent, clock, lines, ended } = await openWaking(directory.path, []);
  expect(await agent.systemPrompt()).not.toContain("eartbeat");
  clock.pass(15 * MINUTE);
  await ended(1);
  clock.pass(15 * MINUTE);
  await ended(2);
  expect(valuesIn(directory.path)["due"]).toEqual(["08:45 1", "09:00 1"]);
  expect(lines("ended")).toMatchObject([
    { task: "one: look", outcome: "done", tokens: 0 },
    { task: "one: look", outcome: "done", tokens: 0 },
  ]);
  await agent.close();
  expect(clock.timers).toBe(0);
  expect(existsSync(join(directory.path, "state/heartbeat.lock"))).toBe(false);
});

test("a task of a module costs what its prompts cost, in the record, in the usage log and in their results", async () => {
  const run = `const keyed = await ctx.prompt("once", { session: "mail", key: "k" });
    const { tokens, usd } = await ctx.prompt("each time", { session: "mail" });
    await ctx.state.set("costs", [keyed.tokens, tokens, usd]);`;
  using directory = agentDirectory(scheduling("15m", run));
  const { agent, clock, lines, ended } = await openWaking(directory.path, [
    { text: "a", usage: { input: 10, output: 5 } },
    { text: "b", usage: { input: 3, output: 4 } },
    { text: "c", usage: { input: 1, output: 1 } },
  ]);
  for (const count of [1, 2]) {
    clock.pass(15 * MINUTE);
    await ended(count);
  }
  await agent.close();
  expect(valuesIn(directory.path)["costs"]).toEqual([15, 2, 0]);
  // The second run repeats a prompt that the first one has paid for.
  expect(lines("ended").map(({ tokens }) => tokens)).toEqual([22, 2]);
  const usage = readFileSync(join(directory.path, "state/usage.jsonl"), "utf8").trimEnd().split("\n");
  expect(usage.map((line) => JSON.parse(line)).map(({ task, input, output }) => [task, input + output])).toEqual([
    ["one: look", 15],
    ["one: look", 7],
    ["one: look", 2],
  ]);
});

test("times that a module's task missed while no process ran run once, together, beside the heartbeat's tasks", async () => {
  const run = `await ctx.state.set("due", due.count);`;
  using directory = agentDirectory({ ...scheduling("every day at 09:00", run, 'timezone: "UTC"'), "heartbeat.md": "@every: 1h\n" }); // biome-ignore format: short
  await (await openWaking(directory.path, [])).agent.close();
  const { agent, clock, ended } = await openWaking(directory.path, [{ text: "awake" }], {
    start: "2026-11-24T10:00:00.000Z",
  });
  clock.pass(MINUTE);
  await ended(2);
  expect(valuesIn(directory.path)["due"]).toBe(4);
  await agent.close();
});

test("a task of a module that throws is shown and runs again after a minute; one that the close interrupts, with the next process", async () => {
  const run = `const count = ((await ctx.state.get("count")) ?? 0) + 1;
    await ctx.state.set("count", count);
    await ctx.log("count " + count + " " + due.isResumed);
    if (count === 1) throw new Error("no network");
    if (count === 2) while (true) { due.signal.throwIfAborted(); await Bun.sleep(5); }`;
  using directory = agentDirectory(scheduling("*/15 * * * *", run));
  const { agent, clock, lines, ended, warnings } = await openWaking(directory.path, []);
  clock.pass(15 * MINUTE);
  await ended(1);
  expect(warnings).toEqual(["heartbeat: one: look failed (error): no network; it runs again in 1 min"]);
  clock.pass(MINUTE);
  await eventually(() => valuesIn(directory.path)["count"] === 2);
  await agent.close();
  expect(lines("ended")).toHaveLength(1);
  const next = await openWaking(directory.path, [], { start: "2026-11-21T08:50:00.000Z" });
  await next.ended(2);
  expect(next.lines("began")).toHaveLength(2);
  expect(readFileSync(join(directory.path, "logs/2026-11-21.log"), "utf8")).toContain("one: count 3 true");
  await next.agent.close();
});

test("a task with times that cannot be read, or with a taken name, is refused, and the module runs on", async () => {
  const body = `const task = (when) => ({ name: "look", when, run() {} });
    const refusals = [];
    for (const when of ["soon", "30 2 30 2 *", "1h", "2h"])
      await ctx.schedule(task(when)).catch((error) => refusals.push(error.message));
    const remove = await ctx.schedule({ ...task("1h"), name: "other" });
    remove();
    await ctx.schedule({ ...task("1h"), name: "other" });
    await ctx.state.set("seen", refusals);`;
  using directory = agentDirectory(starting(body));
  const { agent, lines } = await openWaking(directory.path, []);
  const expected = 'expected "15m", "every day at 09:00" or a line of cron';
  expect(valuesIn(directory.path)["seen"]).toEqual([
    `unexpected "soon", ${expected}`,
    `unexpected "30 2 30 2 *", ${expected}`,
    'there is a task "one: look" already',
  ]);
  expect(lines("planned").map(({ task }) => task)).toEqual(["one: look", "one: other"]);
  await agent.close();
});

test("a task that its module no longer schedules is forgotten, and one whose times changed counts from then", async () => {
  const run = `await ctx.log("ran");`;
  using directory = agentDirectory(scheduling("1h", run));
  await (await openWaking(directory.path, [])).agent.close();
  using other = agentDirectory(scheduling("20m", run));
  const second = await openWaking(other.path, [], { dataDirectory: directory.path, start: "2026-11-21T09:25:00.000Z" });
  expect(second.lines("planned").map(({ at }) => at)).toEqual(["2026-11-21T08:30:00.000Z", "2026-11-21T09:25:00.000Z"]);
  await second.agent.close();
  using without = agentDirectory({ ...starting(`await ctx.schedule({ name: "b", when: "1h", run() {} });`) });
  const third = await openWaking(without.path, [], { dataDirectory: directory.path });
  expect(third.lines("forgotten")).toMatchObject([{ task: "one: look" }]);
  await third.agent.close();
});
