import { expect, test } from "bun:test";
import { engineBench } from "../support/engine-bench.ts";
import type { EngineWorker } from "../support/engine-worker.ts";
import { restateProgram } from "../support/restate-server.ts";
import type { Json } from "../support/served-agent.ts";
import { type ToldReply, told } from "../support/told-model.ts";
import { transcriptProblems } from "../support/transcript-problems.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const KILLS = Number(process.env["ENGINE_KILLS"] ?? 200);
const SESSIONS = 12;
/** How many prompts a session runs, one after another. */
const PROMPTS = Math.ceil(KILLS / 4);

/** One prompt: two commands side by side, another one, and the answer. */
function promptText(session: number, number: number): string {
  const id = `s${session}p${number}`;
  const call = (name: string): NonNullable<ToldReply["calls"]>[number] => ({
    ...{ id: `${id}${name}`, name: "bash" },
    input: { command: `echo ${id}${name} >> effects; sleep 0.0${number % 5}` },
  });
  return told(
    id,
    { calls: [call("a"), call("b")], before: number % 7 },
    { calls: [call("c")], ...(number % 3 === 0 && { before: 150 }) },
    { text: `done ${id}`, before: 20 },
  );
}

/** A request to any of the workers, until one lives long enough to answer it. */
async function ask(workers: readonly EngineWorker[], method: string, path: string, body?: unknown): Promise<Json> {
  for (let tries = 0; tries < 400; tries++) {
    const worker = workers[tries % workers.length];
    const answer = await worker?.send(method, path, body, { "idempotency-key": keyOf(body) }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok === true && text !== undefined && text !== "") return JSON.parse(text);
    await Bun.sleep(25);
  }
  throw new Error(`nobody answers ${method} ${path}`);
}

/** A key of a prompt, so that a request that was cut off may be sent again. */
const keyOf = (body: unknown): string => Bun.hash(JSON.stringify(body ?? null)).toString(36);

test.skipIf(!isInstalled)(
  `${KILLS} kills of workers at random moments lose nothing and run nothing twice`,
  async () => {
    await using bench = await engineBench();
    const workers = [await bench.start("--allow-all"), await bench.start("--allow-all")];
    const sessions = Array.from({ length: SESSIONS }, (_, index) => index);
    for (const session of sessions) await ask(workers, "POST", "sessions", { id: `s${session}` });
    let isOver = false;
    const lives = sessions.map(async (session) => {
      let number = 0;
      for (; number < PROMPTS || !isOver; number++) {
        await ask(workers, "POST", `sessions/s${session}/prompts`, { text: promptText(session, number) });
        for (let state = "running"; state !== "idle"; ) {
          await Bun.sleep(100);
          ({ state } = await ask(workers, "GET", `sessions/s${session}`));
        }
        if (isOver) return number + 1;
      }
      return number;
    });
    for (let kill = 0; kill < KILLS; kill++) {
      await Bun.sleep(50 + Math.random() * 400);
      const index = kill % workers.length;
      await workers[index]?.kill("SIGKILL");
      workers[index] = await bench.start("--allow-all");
    }
    isOver = true;
    const counts = await Promise.all(lives);
    const effects = bench.linesOf("agent/effects");
    expect(new Set(effects).size).toBe(effects.length);
    let interrupted = 0;
    for (const session of sessions) {
      const { messages } = await ask(workers, "GET", `sessions/s${session}/messages`);
      expect(transcriptProblems(messages)).toEqual([]);
      const prompts = Array.from({ length: counts[session] ?? 0 }, (_, number) => `done s${session}p${number}`);
      const answers = messages.flatMap((message: Json) =>
        message.role === "assistant" && message.stopReason === "stop" ? [message.content[0].text] : [],
      );
      expect(answers).toEqual(prompts);
      for (const message of messages) {
        if (message.role !== "toolResult") continue;
        if (message.isError) interrupted++;
        else expect(effects).toContain(message.toolCallId);
      }
    }
    console.log(
      `${effects.length} effects in ${counts.reduce((sum, count) => sum + count, 0)} prompts, ${interrupted} calls interrupted`,
    );
  },
  60_000 + KILLS * 6_000,
);
