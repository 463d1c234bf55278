import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { contentText } from "@mdx-ai/loop";
import { type Agent, AgentClosedError, PromptKeyError } from "@mdx-ai/runtime";
import { forkSession, UnknownSessionError } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { gatedCall, openGate } from "../../support/gated-tool.ts";
import { assistantMessage } from "../../support/model-request.ts";
import { beginLine } from "../../support/prompt-steps.ts";
import { noProcessesOf } from "../../support/remaining-processes.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const SLOW = { deltas: ["a", "b"], deltaDelay: 600_000 };

/** The ids of the prompts of a session in the order in which they began, those of the archive included. */
function begun(directory: string, session: string): readonly string[] {
  const text = readFileSync(join(directory, "sessions", session, "journal.jsonl"), "utf8");
  const lines = text.trimEnd().split("\n");
  return lines.flatMap((line) => {
    const { step, result } = JSON.parse(line);
    return step === "begin" ? [result.id] : [];
  });
}

const ended = async (agent: Agent, session: string, prompts: number): Promise<void> => {
  let count = 0;
  for await (const { type } of agent.session(session).events({ after: "0.0" })) {
    if (type === "agent_end" && ++count === prompts) return;
  }
};

/** The id of each of so many prompts of the session, with its input. */
async function startedPrompts(
  agent: Agent,
  prompts: number,
): Promise<readonly (readonly [id: string, input: string])[]> {
  const started: [id: string, input: string][] = [];
  let promptId = "";
  for await (const event of agent.session("main").events({ after: "0.0" })) {
    if (event.type === "agent_start") promptId = event.promptId;
    if (event.type === "message_end" && event.message.role === "user") {
      started.push([promptId, contentText(event.message.content)]);
    }
    if (event.type === "agent_end" && started.length === prompts) break;
  }
  return started;
}

test("prompts that wait while the session is released run once", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [
    { text: "1", delay: 30 },
    { text: "2" },
    { text: "3" },
    { text: "4" },
  ]);
  await agent.session().submit("one", { key: "k1" });
  const released = agent.session().release();
  await agent.session().submit("two", { key: "k2" });
  await agent.session().submit("three", { key: "k3" });
  await released;
  await ended(agent, "main", 3);
  await agent.close();
  expect(begun(directory.path, "main")).toStrictEqual(["k1", "k2", "k3"]);
});

test("a submission is on disk at once although no session may run, and the same key waits for that, too", async () => {
  using directory = agentDirectory({ "agent.mdx": `---\nlimits: { sessions: 1 }\n---\n${MINIMAL_AGENT}` });
  const agent = await openScriptAgent(directory.path, [SLOW]);
  await agent.session("a").submit("one");
  const first = agent.session("b").submit("two", { key: "k" });
  const second = agent.session("b").submit("two", { key: "k" });
  await second;
  const text = readFileSync(join(directory.path, "sessions/b/journal.jsonl"), "utf8");
  expect(text.match(/"id":"k"/g)).toHaveLength(1);
  expect(await first).toBe("k");
  await agent.close();
});

test("a submission that the close of the agent overtakes resolves if it is kept, and rejects if it is not", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [SLOW]);
  await agent.session().submit("one");
  const texts = ["two", "three", "four"];
  const kept: string[] = [];
  const submitted = texts.map(async (text, delay) => {
    await Bun.sleep(2 * delay);
    await agent
      .session()
      .submit(text)
      .then(
        () => kept.push(text),
        () => {},
      );
  });
  await Bun.sleep(3);
  await agent.close();
  await Promise.all(submitted);
  const next = await openScriptAgent(directory.path, []);
  expect((await next.session().pendingPrompts()).map(({ input }) => input)).toStrictEqual([
    "one",
    ...texts.filter((text) => kept.includes(text)),
  ]);
  await next.close();
});

test("a prompt that was cancelled while it waited does not run later, also if the agent is closed at once", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [SLOW]);
  await agent.session().submit("one");
  await agent.session().submit("two", { key: "k2" });
  await agent.session().submit("three", { key: "k3" });
  const cancelled = agent.session().cancel("k2");
  const closed = agent.close();
  expect(await cancelled).toBe(true);
  await closed;
  const next = await openScriptAgent(directory.path, [{ text: "3" }]);
  expect((await next.session().pendingPrompts()).map(({ input }) => input)).toStrictEqual(["one", "three"]);
  expect(await next.session().cancel("k3")).toBe(true);
  expect((await next.session().pendingPrompts()).map(({ input }) => input)).toStrictEqual(["one"]);
  await next.close();
});

test("the key of a prompt that a crash interrupted finishes it", async () => {
  using directory = agentDirectory({
    "sessions/main/journal.jsonl": `${JSON.stringify(beginLine(1, "one"))}\n`,
  });
  const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
  expect(await agent.session().submit("one", { key: "id of one" })).toBe("id of one");
  await ended(agent, "main", 1);
  expect((await agent.session().messages()).map(({ role }) => role)).toStrictEqual(["user", "assistant"]);
  expect(await agent.session().submit("one", { key: "id of one" })).toBe("id of one");
  await agent.close();
  expect(begun(directory.path, "main")).toStrictEqual(["id of one"]);
});

test("the events of a session without any can be read from the first on, and end with the agent", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }]);
  const reading = ended(agent, "main", 1);
  await agent.session().submit("one");
  await reading;
  await agent.close();
  expect(await Array.fromAsync(agent.session().events())).toStrictEqual([]);
});

test("reading a session that does not exist is an error and makes nothing; submit makes it", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }]);
  const session = agent.session("new");
  expect(() => session.events({ after: "0.0" })).toThrow(UnknownSessionError);
  const readings = [() => session.messages(), () => session.info(), () => session.skills(), () => session.undo()];
  const others = [() => session.cancel("1"), () => session.steer("hello"), () => session.compact()];
  for (const read of [...readings, ...others, () => Array.fromAsync(session.resume())]) {
    await expect(read()).rejects.toThrow('there is no session "new"; mdx-ai sessions DIR lists the existing ones');
  }
  expect(existsSync(join(directory.path, "sessions"))).toBe(false);
  await session.submit("one");
  await ended(agent, "new", 1);
  expect(await session.messages()).toHaveLength(2);
  await agent.close();
});

test("unused sessions are released: their locks go, and ids that were asked for once are forgotten", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, []);
  const isLocked = (id: string): boolean => existsSync(join(directory.path, "sessions", id, "lock"));
  const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const first = agent.session("s0");
  for (const id of ids) agent.session(id).note({ name: "/info", input: "/info", output: "" });
  const reading = ended(agent, "s0", 1);
  await eventually(() => expect(ids.filter(isLocked)).toHaveLength(16));
  expect(ids.filter(isLocked)).toStrictEqual(ids.slice(-16));
  expect(agent.session("s0")).toBe(first);
  await first.submit("again");
  await reading;
  const asked = Array.from({ length: 2000 }, (_, index) => new WeakRef(agent.session(`asked-${index}`)));
  await Bun.sleep(1);
  Bun.gc(true);
  expect(asked.filter((session) => session.deref() !== undefined).length).toBeLessThan(200);
  await agent.close();
});

test("agent_start has the id that submit returned, live and in a replay", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }, { text: "2" }, { text: "3" }]);
  const submitted = [
    agent.session().submit("one"),
    agent.session().submit("two"),
    agent.session().submit("three", { key: "mine" }),
  ];
  const live = await startedPrompts(agent, 3);
  const [one = "", two = "", three] = await Promise.all(submitted);
  await agent.close();
  expect(three).toBe("mine");
  expect(live).toStrictEqual([
    [one, "one"],
    [two, "two"],
    ["mine", "three"],
  ]);
  const next = await openScriptAgent(directory.path, []);
  expect(await startedPrompts(next, 3)).toStrictEqual(live);
  await next.close();
});

test("agent_start of a prompt that a crash interrupted has the id that it was submitted with", async () => {
  using directory = agentDirectory({
    "sessions/main/journal.jsonl": `${JSON.stringify(beginLine(1, "one"))}\n`,
  });
  const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
  const events = await Array.fromAsync(agent.session().resume());
  expect(events.find(({ type }) => type === "agent_start")).toMatchObject({ promptId: "id of one" });
  await agent.close();
});

test("a reader of agent.events that waits leaves at once", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }]);
  await leaves(agent.session().events()[Symbol.asyncIterator]());
  await Array.fromAsync(agent.session().prompt("one"));
  expect(await answers(agent)).toStrictEqual(["1"]);
  await agent.close();
});

test("a reader of agent.prompt that waits leaves at once, and the prompt continues", async () => {
  using directory = agentDirectory();
  const call = { id: "a", name: "bash", arguments: gatedCall("gate") };
  const agent = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "1" }, { text: "2" }]);
  const events = agent.session().prompt("one")[Symbol.asyncIterator]();
  while ((await events.next()).value?.type !== "tool_execution_start");
  await leaves(events);
  openGate(directory.path, "gate");
  await Array.fromAsync(agent.session().prompt("two"));
  expect(await answers(agent)).toStrictEqual(["", "1", "2"]);
  await agent.close();
});

/** Leaves while it waits for what does not come. */
async function leaves(events: AsyncIterator<AgentEvent>): Promise<void> {
  const waiting = events.next();
  expect(await events.return?.()).toStrictEqual({ done: true, value: undefined });
  expect(await waiting).toStrictEqual({ done: true, value: undefined });
}

const answers = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session().messages())
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => contentText(content));

test("a signal ends the events of a reader that waits, and of one that has not begun; others go on", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }]);
  const stop = new AbortController();
  const read = async (signal?: AbortSignal): Promise<readonly string[]> => {
    const types: string[] = [];
    for await (const { type } of agent.session("main").events({ after: "0.0", ...(signal && { signal }) })) {
      types.push(type);
      if (type === "agent_end") break;
    }
    return types;
  };
  const reading = [read(stop.signal), read()];
  await Bun.sleep(10);
  stop.abort();
  expect(await reading[0]).toStrictEqual([]);
  expect(await read(stop.signal)).toStrictEqual([]);
  await agent.session().submit("one");
  expect((await reading[1])?.at(-1)).toBe("agent_end");
  await agent.close();
});

test("a prompt that runs when the agent is closed stays interrupted, with its calls, and is resumed as after a kill", async () => {
  using directory = agentDirectory();
  const calls = [1, 2].map((number) => ({
    id: `c${number}`,
    name: "bash",
    arguments: { command: `touch begun-${number}; sleep 600`, timeout: 600 },
  }));
  const agent = await openScriptAgent(directory.path, [{ calls }], { permissions: { allowsAll: true } });
  const reading = Array.fromAsync(agent.session("main").events({ after: "0.0" }));
  const id = await agent.session().submit("work");
  await eventually(() => [1, 2].every((number) => existsSync(join(directory.path, `begun-${number}`))));
  await agent.close();
  await noProcessesOf(directory.path);
  expect((await reading).map(({ type }) => type)).not.toContain("agent_end");
  const next = await openScriptAgent(directory.path, [{ text: "I see." }]);
  expect(await next.session().pendingPrompts()).toMatchObject([
    { input: "work", state: "interrupted", tools: ["bash", "bash"] },
  ]);
  const events = await Array.fromAsync(next.session().resume());
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  expect(events.find(({ type }) => type === "agent_start")).toMatchObject({ promptId: id });
  const results = (await next.session().messages()).filter(({ role }) => role === "toolResult");
  expect(results.map(({ content }) => contentText(content))).toStrictEqual([
    "interrupted, outcome unknown",
    "interrupted, outcome unknown",
  ]);
  await next.close();
});

test("a prompt whose answer arrives when the agent is closed rejects, and asks the model again when it is resumed", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [SLOW]);
  const prompt = Array.fromAsync(agent.session().prompt("one"));
  prompt.catch(() => {});
  for await (const { type } of agent.session().events()) if (type === "message_update") break;
  await agent.close();
  await expect(prompt).rejects.toThrow(AgentClosedError);
  const next = await openScriptAgent(directory.path, [{ text: "whole" }]);
  await Array.fromAsync(next.session().resume());
  expect((await next.session().messages()).map(({ content }) => contentText(content))).toStrictEqual(["one", "whole"]);
  await next.close();
});

test("a prompt that was cancelled ends for good, although the agent is closed at once", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [SLOW]);
  const stop = new AbortController();
  const prompt = Array.fromAsync(agent.session().prompt("one", { signal: stop.signal }));
  for await (const { type } of agent.session().events()) if (type === "message_update") break;
  stop.abort();
  await agent.close();
  expect((await prompt).at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
  const next = await openScriptAgent(directory.path, []);
  expect(await next.session().pendingPrompts()).toStrictEqual([]);
  await next.close();
});

test("a prompt whose hooks end each process is closed without them", async () => {
  const module = `export default {
  describe: () => ({ name: "killer", description: "Kills" }),
  initialize: async () => {}, tools: () => [], systemPrompt: () => "", start: async () => {}, stop: () => {},
  afterPrompt: () => { throw new Error("the hook was called"); },
};`;
  const lines = [
    beginLine(1, "one", { hooks: ["afterPrompt"] }),
    { v: 1, prompt: 1, step: "model:1", result: assistantMessage([{ type: "text", text: "done" }]) },
    ...[1, 2, 3].map((number) => ({ v: 1, prompt: 1, step: `resume:${number}`, result: { at: 0 } })),
  ];
  using directory = agentDirectory({
    "modules/killer.ts": module,
    "sessions/main/journal.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  const agent = await openScriptAgent(directory.path, []);
  await Array.fromAsync(agent.session().resume());
  expect(await agent.session().pendingPrompts()).toStrictEqual([]);
  await agent.close();
  const logs = new Bun.Glob("logs/*.log").scanSync(directory.path);
  for (const log of logs) expect(readFileSync(join(directory.path, log), "utf8")).not.toContain("the hook was called");
});

test("a reader gets the events of prompts after a clear, whose ids continue", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }, { text: "2" }, { text: "3" }]);
  const ends: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const { type, id } of agent.session("main").events({ after: "0.0" })) {
      if (type === "agent_end" && ends.push(id) === 3) return;
    }
  })();
  await Array.fromAsync(agent.session().prompt("one"));
  await Array.fromAsync(agent.session().prompt("two"));
  await agent.session().clear();
  await Array.fromAsync(agent.session().prompt("three"));
  await reading;
  expect(ends).toStrictEqual(["1.8", "2.8", "3.8"]);
  await agent.close();
});

test.each(["model:1", "begin"])(
  "a reader gets the events of the prompts after one whose step %s is lost",
  async (step) => {
    using directory = agentDirectory();
    const before = await openScriptAgent(directory.path, [{ text: "1" }, { text: "2" }]);
    await Array.fromAsync(before.session().prompt("one"));
    await Array.fromAsync(before.session().prompt("two"));
    await before.close();
    const journal = join(directory.path, "sessions/main/journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    const lost = lines.findIndex((line) => line.includes(`"step":"${step}"`));
    writeFileSync(journal, lines.toSpliced(lost, 1).join("\n"));
    const after = await openScriptAgent(directory.path, [{ text: "3" }]);
    const ends: (string | undefined)[] = [];
    const reading = (async () => {
      for await (const { type, id } of after.session("main").events({ after: "0.0" })) {
        if (type === "agent_end") ends.push(id);
        if (ends.at(-1) === "3.8") return;
      }
    })();
    await Array.fromAsync(after.session().prompt("three"));
    await reading;
    expect(ends).toStrictEqual(["2.8", "3.8"]);
    await after.close();
  },
);

test("prompts and keys of a session stay what they are over clears, restarts and forks: no event id repeats", async () => {
  using directory = agentDirectory();
  const first = await openScriptAgent(directory.path, [{ text: "1" }, { text: "2" }]);
  for (const key of ["k1", "k2"]) {
    await first.session().submit(key, { key });
    await ended(first, "main", Number(key.slice(1)));
  }
  await first.session().clear();
  expect(await first.session().submit("again", { key: "k1" })).toBe("k1");
  await first.close();
  const second = await openScriptAgent(directory.path, [{ text: "3" }, { text: "4" }]);
  expect(await second.session().submit("again", { key: "k2" })).toBe("k2");
  await second.session().submit("three", { key: "k3" });
  await ended(second, "main", 1);
  const ids = async (after: string): Promise<readonly (string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    for await (const { id, type } of second.session("main").events({ after })) {
      if (id !== undefined) found.push(id);
      if (type === "agent_end") return found;
    }
    return found;
  };
  expect((await ids("2.8"))[0]).toBe("3.1");
  expect((await ids("3.4"))[0]).toBe("3.5");
  await second.session().clear();
  await second.session().clear();
  await second.session().submit("four", { key: "k4" });
  expect((await ids("3.8"))[0]).toBe("4.1");
  await second.close();
  expect(begun(directory.path, "main")).toStrictEqual(["k4"]);
  await forkSession(directory.path, { from: "main", to: "other", now: 0, onWarning() {} });
  const third = await openScriptAgent(directory.path, [{ text: "5" }]);
  const events = await Array.fromAsync(third.session("other").prompt("five"));
  expect(events.at(-1)?.id).toBe("5.8");
  await third.close();
});

test("a session in memory knows the keys of its prompts, too", async () => {
  using directory = agentDirectory();
  const replies = [{ text: "1" }, { text: "2" }, { text: "3" }];
  const agent = await openScriptAgent(directory.path, replies, { ephemeral: true });
  await agent.session().submit("one", { key: "k" });
  await Array.fromAsync(agent.session().prompt("two"));
  await agent.session().submit("one", { key: "k" });
  await Array.fromAsync(agent.session().prompt("three"));
  const said = (await agent.session().messages())
    .filter(({ role }) => role === "user")
    .map(({ content }) => contentText(content));
  expect(said).toStrictEqual(["one", "two", "three"]);
  await agent.close();
});

test("an empty key and an id of no event are errors that say so", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, []);
  await expect(agent.session().submit("one", { key: "" })).rejects.toThrow("the key of a prompt must not be empty");
  for (const after of ["", "3", "3.x", "1.2.3", "-1.0", " 1.2"]) {
    expect(() => agent.session("main").events({ after })).toThrow(`${JSON.stringify(after)} is not an event id`);
  }
  await agent.close();
  expect(await Array.fromAsync(agent.session("main").events({ after: "0.0" }))).toStrictEqual([]);
});

test("a key belongs to one input, also after a restart and while the prompt is resumed", async () => {
  using directory = agentDirectory();
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const first = await openScriptAgent(directory.path, [{ text: "1" }, SLOW]);
  await first.session().submit("one", { key: "k1", images: [image] });
  await first.session().submit("two", { key: "k2" });
  await first.session().submit("three", { key: "k3" });
  await ended(first, "main", 1);
  const differ = async (agent: Agent): Promise<void> => {
    const session = agent.session();
    expect(await session.submit("one", { key: "k1", images: [image] })).toBe("k1");
    expect(await session.submit("two", { key: "k2" })).toBe("k2");
    expect(await session.submit("three", { key: "k3" })).toBe("k3");
    for (const [text, key] of [
      ["one", "k1"],
      ["2", "k2"],
      ["3", "k3"],
    ] as const)
      expect(session.submit(text, { key })).rejects.toThrow(PromptKeyError);
  };
  await differ(first);
  await first.close();
  const second = await openScriptAgent(directory.path, [SLOW]);
  await differ(second);
  // A repeated submission resumes what was left.
  await eventually(() => second.session().activePrompts[0]?.state === "running");
  await differ(second);
  expect(second.session().activePrompts).toEqual([
    { id: "k2", text: "two", state: "running" },
    { id: "k3", text: "three", state: "queued" },
  ]);
  await second.close();
  expect(begun(directory.path, "main")).toStrictEqual(["k1", "k2"]);
});

test("events can be read until now, and an id is known if an event has it", async () => {
  using directory = agentDirectory();
  const first = await openScriptAgent(directory.path, [{ text: "1" }]);
  await first.session().submit("one");
  await ended(first, "main", 1);
  const live = await Array.fromAsync(first.session().events({ after: "0.0", isFollowing: false }));
  await first.close();
  const agent = await openScriptAgent(directory.path, [{ text: "2" }]);
  const ids = live.flatMap(({ id }) => id ?? []);
  const again = await Array.fromAsync(agent.session().events({ after: ids[1] ?? "", isFollowing: false }));
  expect(again.flatMap(({ id }) => id ?? [])).toEqual(ids.slice(2));
  for (const id of ["0.0", ...ids]) expect([id, await agent.session().hasEvent(id)]).toEqual([id, true]);
  for (const id of ["1.99", "2.1", "x", "1"]) expect([id, await agent.session().hasEvent(id)]).toEqual([id, false]);
  expect(agent.session("none").hasEvent("0.0")).rejects.toThrow(UnknownSessionError);
  await agent.close();
});

test("a session is deleted, renamed and forked by its handle, and its readers see its end", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "1" }, { text: "2" }, { text: "3" }]);
  await agent.session("a").submit("one");
  await ended(agent, "a", 1);
  const reading = Array.fromAsync(agent.session("a").events({ after: "0.0" }));
  expect(await agent.session("a").fork("b")).toBe(1);
  await agent.session("a").rename("c");
  expect((await reading).at(-1)?.type).toBe("agent_end");
  expect(agent.session("a").messages()).rejects.toThrow(UnknownSessionError);
  expect([(await agent.session("b").messages()).length, (await agent.session("c").messages()).length]).toEqual([2, 2]);
  await agent.session("c").delete();
  expect(existsSync(join(directory.path, "sessions/c"))).toBe(false);
  expect(agent.session("c").delete()).rejects.toThrow(UnknownSessionError);
  // A new session of the same name has none of the old events.
  await agent.session("c").submit("again");
  await ended(agent, "c", 1);
  const events = await Array.fromAsync(agent.session("c").events({ after: "0.0", isFollowing: false }));
  expect(events.filter(({ type }) => type === "agent_start")).toHaveLength(1);
  await agent.close();
});
