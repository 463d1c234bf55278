import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const JOURNAL = "sessions/main/journal.jsonl";

const linesOf = (directory: string): string[] => readFileSync(join(directory, JOURNAL), "utf8").trimEnd().split("\n");

const keep = (directory: string, lines: readonly string[]): void =>
  writeFileSync(join(directory, JOURNAL), lines.map((line) => `${line}\n`).join(""));

const answers = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === "agent_end" ? [answerText(event.messages)] : []));

const resumed = (events: readonly AgentEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === "prompt_resumed" ? [[event.prompt, event.input, event.state]] : []));

/** A session whose last prompt was cut short after so many of its lines. */
async function cutShort(directory: string, count: number): Promise<void> {
  const agent = await openScriptAgent(directory, [
    { calls: [{ id: "a", name: "bash", arguments: { command: "echo x >> effects" } }] },
    { text: "done" },
  ]);
  await Array.fromAsync(agent.session().prompt("do it"));
  await agent.close();
  const lines = linesOf(directory);
  const start = lines.findIndex((line) => line.includes('"step":"begin"'));
  keep(directory, lines.slice(0, start + count));
}

test.skipIf(requireProgram("bwrap"))(
  "resume finishes what was interrupted, and nothing where nothing was",
  async () => {
    using directory = agentDirectory();
    await cutShort(directory.path, 2);
    const agent = await openScriptAgent(directory.path, [{ text: "finished" }]);
    expect(await agent.session().pendingPrompts()).toStrictEqual([
      { prompt: 1, id: expect.any(String), input: "do it", state: "interrupted", tools: [] },
    ]);
    const events = await Array.fromAsync(agent.session().resume());
    expect(resumed(events)).toStrictEqual([[1, "do it", "interrupted"]]);
    expect(answers(events)).toStrictEqual(["finished"]);
    expect(await agent.session().pendingPrompts()).toStrictEqual([]);
    expect(await Array.fromAsync(agent.session().resume())).toStrictEqual([]);
    expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("x\nx\n");
    await agent.close();
  },
);

test.skipIf(requireProgram("bwrap"))("a tool that was started is reported, and answered as interrupted", async () => {
  using directory = agentDirectory();
  await cutShort(directory.path, 4);
  const agent = await openScriptAgent(directory.path, [{ text: "finished" }]);
  expect(await agent.session().pendingPrompts()).toMatchObject([{ tools: ["bash"] }]);
  await Array.fromAsync(agent.session().resume());
  expect(JSON.stringify(await agent.session().messages())).toContain("interrupted, outcome unknown");
  expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("x\n");
  await agent.close();
});

test("a tool that only looks has no line that it was started, and may run again", async () => {
  using directory = agentDirectory({ "note.txt": "first" });
  const look = { id: "a", name: "read_file", arguments: { path: "note.txt" } };
  const agent = await openScriptAgent(directory.path, [{ calls: [look] }, { text: "done" }]);
  await Array.fromAsync(agent.session().prompt("look"));
  await agent.close();
  const lines = linesOf(directory.path);
  expect(lines.filter((line) => line.includes('"started"'))).toStrictEqual([]);
  keep(
    directory.path,
    lines.slice(
      0,
      lines.findIndex((line) => line.includes('"tool:1:a"')),
    ),
  );
  writeFileSync(join(directory.path, "note.txt"), "second");
  const again = await openScriptAgent(directory.path, [{ text: "finished" }]);
  await Array.fromAsync(again.session().resume());
  expect((await again.session().messages())[2]).toMatchObject({
    role: "toolResult",
    isError: false,
    content: [{ text: expect.stringContaining("second") }],
  });
  await again.close();
});

test("an abort while an interrupted prompt is finished ends it, and the new prompt does not begin", async () => {
  using directory = agentDirectory();
  await cutShort(directory.path, 2);
  const agent = await openScriptAgent(directory.path, [{ deltas: ["a", "b"], deltaDelay: 600_000 }]);
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of agent.session().prompt("next", { signal: controller.signal })) {
    events.push(event);
    if (event.type === "message_update" && event.message.stopReason !== "toolUse") controller.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
  expect(events.filter(({ type }) => type === "agent_start")).toHaveLength(1);
  expect(await agent.session().pendingPrompts()).toStrictEqual([]);
  await agent.close();
});

/** What is left of a prompt that had answered when so many processes, one after the other, died as they went on with it. */
async function cutAgain(directory: string, times: number): Promise<void> {
  await cutShort(directory, 2);
  for (let number = 1; number <= times; number++) {
    const resume = { v: 1, prompt: 1, step: `resume:${number}`, result: { at: 0 } };
    appendFileSync(join(directory, JOURNAL), `${JSON.stringify(resume)}\n`);
  }
}

test("a prompt that ends each process that resumes it is given up the fourth time, and what was done is kept", async () => {
  using directory = agentDirectory();
  await cutAgain(directory.path, 3);
  const before = linesOf(directory.path);
  const warnings: string[] = [];
  const agent = await openScriptAgent(directory.path, [{ text: "next" }], {
    onWarning: (message) => warnings.push(message),
  });
  const events = await Array.fromAsync(agent.session().prompt("go on"));
  expect(answers(events).at(-1)).toBe("next");
  expect(warnings.join()).toContain("interrupted 3 times at the same step and is closed");
  expect(linesOf(directory.path).slice(0, before.length)).toStrictEqual(before);
  expect(JSON.stringify(await agent.session().messages())).toContain("do it");
  expect(await agent.session().pendingPrompts()).toStrictEqual([]);
  await agent.close();
});

test.skipIf(requireProgram("bwrap"))("the third process still resumes a prompt", async () => {
  using directory = agentDirectory();
  await cutAgain(directory.path, 2);
  const warnings: string[] = [];
  const agent = await openScriptAgent(directory.path, [{ text: "finished" }], {
    onWarning: (message) => warnings.push(message),
  });
  expect(answers(await Array.fromAsync(agent.session().resume()))).toStrictEqual(["finished"]);
  expect(warnings).toStrictEqual([]);
  await agent.close();
});

const idOfFirst = (directory: string): string =>
  JSON.parse(linesOf(directory).find((line) => line.includes('"step":"begin"')) ?? "").result.id;

test.skipIf(requireProgram("bwrap"))(
  "an interrupted prompt that is cancelled ends for good, and nothing of it runs again",
  async () => {
    using directory = agentDirectory();
    await cutShort(directory.path, 2);
    const first = await openScriptAgent(directory.path, []);
    const id = idOfFirst(directory.path);
    expect(await first.session().cancel("another")).toBe(false);
    expect(await first.session().cancel(id)).toBe(true);
    expect(await first.session().cancel(id)).toBe(false);
    expect(await first.session().pendingPrompts()).toStrictEqual([]);
    expect(await Array.fromAsync(first.session().resume())).toStrictEqual([]);
    expect(await first.session().submit("do it", { key: id })).toBe(id);
    await first.close();

    const next = await openScriptAgent(directory.path, [{ text: "next" }]);
    expect(await next.session().pendingPrompts()).toStrictEqual([]);
    expect(answers(await Array.fromAsync(next.session().prompt("go on")))).toStrictEqual(["next"]);
    const messages = await next.session().messages();
    expect(messages.map(({ role }) => role)).toStrictEqual(["user", "assistant", "toolResult", "user", "assistant"]);
    expect(JSON.stringify(messages[2])).toContain("interrupted, outcome unknown");
    await next.close();
    expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("x\n");
  },
);

test("an interrupted prompt can be cancelled while others wait behind it, and its events show the end", async () => {
  using directory = agentDirectory();
  await cutShort(directory.path, 1);
  const first = await openScriptAgent(directory.path, [{ text: "second" }]);
  const id = idOfFirst(directory.path);
  const cancelled = first.session().cancel(id);
  await first.session().submit("second", { key: "second" });
  expect(await cancelled).toBe(true);
  const ends: unknown[] = [];
  for await (const event of first.session("main").events({ after: "0.0" })) {
    if (event.type === "agent_end" && ends.push([event.id, event.outcome]) === 2) break;
  }
  expect(ends).toMatchObject([
    [expect.stringMatching(/^1\./), "aborted"],
    [expect.stringMatching(/^2\./), "done"],
  ]);
  await first.close();
});

/** Begins a prompt that does not end, and gives what stops it. */
async function endless(agent: Agent): Promise<() => Promise<void>> {
  const controller = new AbortController();
  const events = agent.session().prompt("first", { signal: controller.signal })[Symbol.asyncIterator]();
  while ((await events.next()).value?.type !== "message_update");
  return async () => {
    controller.abort();
    while (!(await events.next()).done);
  };
}

const ENDLESS = { deltas: ["a", "b"], deltaDelay: 600_000 };

test("a queued prompt is run by the next process, in its order, when this one ends before", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [ENDLESS]);
  await endless(agent);
  const waiting = ["second", "third"].map((text) => Array.fromAsync(agent.session().prompt(text, { isKept: true })));
  while (linesOf(directory.path).filter((line) => line.includes('"step":"queue:')).length < 2) await Bun.sleep(1);
  expect(await agent.session().pendingPrompts()).toStrictEqual([]);
  // What a kill leaves behind at this moment.
  const left = linesOf(directory.path);
  const refused = Promise.allSettled(waiting);
  await agent.close();
  await refused;
  keep(directory.path, left);

  const later = await openScriptAgent(
    directory.path,
    ["one", "two", "three", "four"].map((text) => ({ text })),
  );
  const events = await Array.fromAsync(later.session().prompt("fourth"));
  expect(resumed(events)).toStrictEqual([
    [1, "first", "interrupted"],
    [2, "second", "queued"],
    [3, "third", "queued"],
  ]);
  expect(answers(events)).toStrictEqual(["one", "two", "three", "four"]);
  expect(await later.session().pendingPrompts()).toStrictEqual([]);
  await later.close();
});

test("a queued prompt that is taken back or had its turn is not run again", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [ENDLESS, { text: "second" }]);
  const stop = await endless(agent);
  const controller = new AbortController();
  const second = Array.fromAsync(agent.session().prompt("second", { isKept: true }));
  const third = Array.fromAsync(agent.session().prompt("third", { isKept: true, signal: controller.signal }));
  while (linesOf(directory.path).filter((line) => line.includes('"step":"queue:')).length < 2) await Bun.sleep(1);
  controller.abort();
  expect(await third).toStrictEqual([]);
  await stop();
  expect(answers(await second)).toStrictEqual(["second"]);
  await agent.close();
  const later = await openScriptAgent(directory.path, []);
  expect(await later.session().pendingPrompts()).toStrictEqual([]);
  await later.close();
});

test.each([
  ["from the beginning on", "0.0"],
  ["from now on", undefined],
])(
  "a reader that follows a session %s receives the end of an interrupted prompt that is cancelled, before the next",
  async (_, after) => {
    using directory = agentDirectory();
    await cutShort(directory.path, 2);
    const agent = await openScriptAgent(directory.path, [{ text: "second" }]);
    const ends: unknown[] = [];
    const ids: (string | undefined)[] = [];
    const read = async (): Promise<void> => {
      const signal = AbortSignal.timeout(5000);
      for await (const event of agent.session("main").events({ signal, ...(after !== undefined && { after }) })) {
        if (event.id !== undefined) ids.push(event.id);
        if (event.type === "agent_end" && ends.push([event.id?.split(".")[0], event.outcome]) === 2) return;
      }
    };
    const reading = read();
    // The reader has caught up with what is on disk.
    await Bun.sleep(200);
    const cancelled = agent.session().cancel(idOfFirst(directory.path));
    await agent.session().submit("second", { key: "second" });
    await Promise.all([cancelled, reading]);
    await agent.close();
    expect(ends).toStrictEqual([
      ["1", "aborted"],
      ["2", "done"],
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
