// `npm run bench:engine`: turns a second on a Restate server, beside a bare loop over the SDK with the same two objects and three steps a turn.
// Server, worker and model are on this machine; worker, model and clients are this process.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noRedactor } from "@mdx-ai/base";
import { openDirectory } from "@mdx-ai/directory";
import { openEngine } from "@mdx-ai/engine";
import type { AgentTool } from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel, Message, ModelEvent } from "@mdx-ai/models";
import { freePorts, type RestateProcess, restateServer } from "../test/support/restate-server.ts";
import { type BareEngine, startBareLoop } from "./engine/bare-restate-loop.ts";
import { median } from "./median.ts";

/** Turns of a prompt: each but the last one calls a tool. */
const TURNS = 4;
const WARM_UP = 2_000;
const WINDOW = 6_000;
const ROUNDS = Number(process.env["ENGINE_ROUNDS"] ?? 3);

/** What a loop reports about its turns. */
export interface TurnCounter {
  /** A model was asked in a session. */
  turn(session: string): void;
}

/** Counts turns in a window, and the time between two turns of a session. */
class Counter implements TurnCounter {
  readonly gaps: number[] = [];
  count = 0;
  isOpen = false;
  readonly #last = new Map<string, number>();

  turn(session: string): void {
    const now = performance.now();
    const before = this.#last.get(session);
    this.#last.set(session, now);
    if (!this.isOpen) return;
    this.count++;
    if (before !== undefined) this.gaps.push(now - before);
  }
}

interface Figure {
  readonly perSecond: number;
  /** Turns for each second that a processor worked for server, worker and clients: other programs on the machine change it less. */
  readonly perCpuSecond: number;
  /** Milliseconds of a processor for each turn, of the server and of this process. */
  readonly milliseconds: readonly [server: number, worker: number];
  readonly p99: number;
}

/** Seconds that processors have worked for the server, and for this process. */
function cpuSeconds(pid: number): readonly [server: number, worker: number] {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const { user, system } = process.cpuUsage();
  return [(Number(fields[11]) + Number(fields[12])) / 100, (user + system) / 1e6];
}

/** Measures a loop that runs until `stop` is called. */
async function measure(
  { pid }: RestateProcess,
  start: (counter: TurnCounter) => Promise<() => Promise<void>>,
): Promise<Figure> {
  const counter = new Counter();
  const stop = await start(counter);
  await Bun.sleep(WARM_UP);
  counter.isOpen = true;
  const began = performance.now();
  const worked = cpuSeconds(pid);
  await Bun.sleep(WINDOW);
  counter.isOpen = false;
  const seconds = (performance.now() - began) / 1000;
  const [ofServer, ofWorker] = cpuSeconds(pid).map((now, index) => now - (worked[index] ?? 0));
  const [server = 0, worker = 0] = [ofServer, ofWorker];
  await stop();
  const sorted = counter.gaps.sort((one, other) => one - other);
  const { count } = counter;
  return {
    perSecond: count / seconds,
    perCpuSecond: count / (server + worker),
    milliseconds: [(1000 * server) / count, (1000 * worker) / count],
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 15 };

/** The answer after these messages. */
function answerTo(messages: readonly Message[]): AssistantMessage {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(at).filter(({ role }) => role === "toolResult").length;
  const about = { role: "assistant", provider: "bench", model: "instant", usage, timestamp: Date.now() } as const;
  if (results >= TURNS - 1) return { ...about, content: [{ type: "text", text: "Done." }], stopReason: "stop" };
  const call = { type: "toolCall", id: `call_${results}`, name: "note", arguments: { text: "a line" } } as const;
  return { ...about, content: [call], stopReason: "toolUse" };
}

/** A model that answers at once. */
const instantModel = (asked: (messages: readonly Message[]) => void): LanguageModel => ({
  provider: "bench",
  name: "instant",
  async *stream({ messages }): AsyncGenerator<ModelEvent> {
    asked(messages);
    const message = answerTo(messages);
    yield { type: "start", partial: message };
    yield { type: "done", message };
  },
});

const noteTool: AgentTool = {
  name: "note",
  description: "Notes a line",
  parameters: { type: "object", properties: { text: { type: "string" } } },
  permission: "allow",
  execute: async ({ text }) => `noted: ${text}`,
};

/** Runs prompts of so many sessions on the program's engine, each session one after another. */
async function runEngine(server: RestateProcess, sessions: number, counter: TurnCounter): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), "mdx-ai-bench-"));
  const directory = join(home, "bench");
  await Bun.write(join(directory, "agent.mdx"), "# Agent: Bench\n\n## Purpose\n\nNote.\n");
  let isOver = false;
  const submitted = new Map<string, number>();
  let submit = async (_session: string): Promise<void> => {};
  const model = instantModel((messages) => {
    const first = messages.findLast(({ role }) => role === "user")?.content[0];
    const session = first?.type === "text" ? (first.text.split(" ")[0] ?? "") : "";
    counter.turn(session);
    const isLast = messages.slice(messages.findLastIndex(({ role }) => role === "user")).length >= 2 * TURNS - 1;
    if (isLast && !isOver) void submit(session);
  });
  const [port = 0] = await freePorts(1);
  const open = () =>
    openDirectory(directory, {
      ...{ model, tools: [{ origin: "custom:bench", tools: () => [noteTool] }], wakes: false },
      run: { isTrusted: true, session: "main", allowsAll: true, sandboxMode: "off" },
      frontEnd: { environment: { HOME: home, PATH: process.env["PATH"] }, onNotice: () => {} },
    });
  const engine = await openEngine({
    ...{ address: server.address, host: "127.0.0.1", port, redactor: noRedactor },
    agents: [{ name: `bench-${sessions}-${port}`, title: "Bench", open }],
    onWarning: (text) => console.error(text),
  });
  const [source] = engine.agents;
  const opened = await source?.open(undefined);
  if (opened === undefined) throw new Error("no agent");
  submit = async (session) => {
    const number = (submitted.get(session) ?? 0) + 1;
    submitted.set(session, number);
    await opened.agent.session(session).submit(`${session} go ${number}`);
  };
  await Promise.all(Array.from({ length: sessions }, (_, index) => submit(`s${index}`)));
  return async () => {
    isOver = true;
    await Bun.sleep(1_000);
    await opened.close();
    await engine.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

async function compare(sessions: number): Promise<void> {
  const ratios: number[] = [];
  const worked: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using server = await restateServer();
    const bare = await measure(server, async (counter) => {
      const loop: BareEngine = await startBareLoop(server, { sessions, turns: TURNS, counter });
      return loop.stop;
    });
    const engine = await measure(server, (counter) => runEngine(server, sessions, counter));
    ratios.push(engine.perSecond / bare.perSecond);
    worked.push(engine.perCpuSecond / bare.perCpuSecond);
    const text = ({ perSecond, perCpuSecond, milliseconds, p99 }: Figure): string =>
      `${perSecond.toFixed(0)} turns/s (${perCpuSecond.toFixed(0)} per second of a processor; server and worker ${milliseconds.map((one) => one.toFixed(1)).join(" + ")} ms a turn), p99 ${p99.toFixed(0)} ms`;
    console.log(`${sessions} sessions: bare loop ${text(bare)}; mdx-ai ${text(engine)}; ${ratios.at(-1)?.toFixed(2)}`);
  }
  console.log(
    `${sessions} sessions: median of the ratio ${median(ratios).toFixed(2)}, by processor ${median(worked).toFixed(2)}`,
  );
}

const memory = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;

for (const sessions of [64, 256]) await compare(sessions);
console.log(`memory of this process at the end: ${memory().toFixed(0)} MiB`);
process.exit(0);
