import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentEvent,
  type AgentTool,
  type Answer,
  CompletionOrder,
  type Host,
  onceEach,
  type Question,
  type StepOptions,
} from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { runOnHost } from "@mdx-ai/runtime";
import { type Reply, scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A result, or that a step was started: one a line of a file. */
interface Kept {
  readonly name: string;
  readonly result?: unknown;
}

interface FileHostOptions {
  readonly path: string;
  /** Whether the process ends before a step. */
  endsBefore(name: string): boolean;
  answer(question: Question): Answer;
  emit(event: AgentEvent): void;
}

class ProcessEnd extends Error {}

/** A host that keeps the results of steps in a file, made of public parts alone. */
function fileHost({ path, endsBefore, answer, emit }: FileHostOptions): Host {
  const lines: Kept[] = existsSync(path)
    ? readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const results = new Map(lines.flatMap(({ name, result }) => (result === undefined ? [] : [[name, result] as const])));
  const started = new Set(lines.map(({ name }) => name));
  const keep = (line: Kept): void => appendFileSync(path, `${JSON.stringify(line)}\n`);
  const order = new CompletionOrder();
  const { signal } = new AbortController();
  // Kept results are handed out in the order of the file, each after the loop has gone as far as it can.
  let before: Promise<unknown> = Promise.resolve();
  const handOut = async <Result>(name: string, { accepts }: StepOptions<Result>): Promise<Result> => {
    before = before.then(() => new Promise((resolve) => setImmediate(resolve)));
    await before;
    const result = results.get(name);
    if (accepts(result)) return result;
    throw new TypeError(`${name} is damaged`);
  };
  const runNew = async <Result>(
    name: string,
    { interrupted }: StepOptions<Result>,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    if (endsBefore(name)) throw new ProcessEnd(name);
    const isInterrupted = interrupted !== undefined && started.has(name);
    if (interrupted && !isInterrupted) keep({ name });
    const result = isInterrupted ? interrupted() : await run();
    keep({ name, result });
    return result;
  };
  const kept = <Result>(name: string, options: StepOptions<Result>, run: () => Promise<Result>): Promise<Result> =>
    order.watch(results.has(name) ? handOut(name, options) : runNew(name, options, run));
  const isAnswer = (value: unknown): value is Answer =>
    typeof value === "object" && value !== null && "answer" in value;
  return {
    step: (name, run, options) => kept(name, options, () => run({ signal })),
    sleep: async () => {},
    ask: (name, question) => kept(name, { accepts: isAnswer }, async () => answer(question)),
    inbox: { take: async () => [], close: async () => [] },
    inOrder: (operations) => order.inOrder(operations),
    emit: onceEach(emit),
  };
}

const call = (id: string, name: string) => ({ id, name, arguments: {} });

const REPLIES: readonly Reply[] = [
  { calls: [call("a", "build"), call("b", "deploy")] },
  { calls: [call("c", "deploy")] },
  { text: "done" },
];

test("a host of public parts alone carries a prompt over restarts of its process", async () => {
  using directory = temporaryDirectory();
  const ran: string[] = [];
  const asked: string[] = [];
  const tool = (name: string, more: Partial<AgentTool> = {}): AgentTool => ({
    ...{ name, description: name, parameters: { type: "object" }, ...more },
    execute: async (_args, { callId }) => {
      ran.push(`${name} ${callId}`);
      return `${name} is done`;
    },
  });
  const tools = [tool("build"), tool("deploy", { permission: "ask" })];
  const seen = new Set<string>();
  /** One process after another, each ended before a step that the one before had not reached. */
  const live = async (): Promise<readonly AgentEvent[]> => {
    const events: AgentEvent[] = [];
    let isEnding = false;
    const host = fileHost({
      path: join(directory.path, "kept.jsonl"),
      endsBefore: (name) => {
        isEnding ||= !seen.has(name);
        seen.add(name);
        return isEnding;
      },
      answer: ({ id }) => {
        asked.push(id);
        return { answer: id === "1.2.1" ? "no" : "once", by: "program" };
      },
      emit: (event) => events.push(event),
    });
    const models = [
      await openModel(scriptReference(directory.path, REPLIES.slice(seenAnswers())), { environment: {} }),
    ];
    try {
      await runOnHost(host, { id: "p", input: "Ship it", models, tools });
      return events;
    } catch (error) {
      if (error instanceof ProcessEnd) return live();
      throw error;
    }
  };
  const seenAnswers = (): number => {
    const path = join(directory.path, "kept.jsonl");
    return existsSync(path) ? (readFileSync(path, "utf8").match(/"name":"model:/g)?.length ?? 0) : 0;
  };
  const events = await live();
  expect(ran.sort()).toStrictEqual(["build a", "deploy b"]);
  expect(asked).toStrictEqual(["1.1.2", "1.2.1"]);
  const ids = events.flatMap(({ id }) => id ?? []);
  expect(ids).toStrictEqual(ids.map((_, index) => `1.${index + 1}`));
  expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
});
