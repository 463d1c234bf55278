import { afterAll, beforeAll, expect, test } from "bun:test";
import { noRedactor } from "@mdx-ai/base";
import { type AgentEvent, runPrompt } from "@mdx-ai/loop";
import type { JournalLine } from "@mdx-ai/sessions";
import { handlers, type ObjectContext, object } from "@restatedev/restate-sdk";
import fc from "fast-check";
import { eventOrderProblem } from "../../../test/support/event-order.ts";
import { eventually } from "../../../test/support/eventually.ts";
import {
  before,
  byPosition,
  completed,
  flushed,
  plain,
  replayed,
  runOf,
  type Told,
  transcriptOf,
} from "../../../test/support/golden-hosts.ts";
import { loopEffects } from "../../../test/support/loop-run.ts";
import { userMessage } from "../../../test/support/model-request.ts";
import { randomCases } from "../../../test/support/random-cases.ts";
import { PromptWorld, type RandomPrompt, randomPrompt } from "../../../test/support/random-prompt.ts";
import { type RestateProcess, restateProgram, restateServer } from "../../../test/support/restate-server.ts";
import { transcriptProblems } from "../../../test/support/transcript-problems.ts";
import { controllerObject } from "./controller-object.ts";
import { LineBuffer } from "./line-buffer.ts";
import { objectKey, serviceNames } from "./protocol.ts";
import { registerWorker } from "./register-worker.ts";
import { findServer, RestateClient } from "./restate-client.ts";
import { RestateHost } from "./restate-host.ts";
import { Attempts, startWorker, type Worker } from "./worker.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const CASES = randomCases(300);
const NAMES = serviceNames("golden");

/** A prompt as it runs in this process, which is the worker. */
interface Running {
  readonly world: PromptWorld;
  readonly prompt: RandomPrompt;
  events: readonly AgentEvent[];
  lines: readonly JournalLine[];
  host: RestateHost | undefined;
  readonly ended: PromiseWithResolvers<void>;
  attempts: number;
}

const runs = new Map<string, Running>();
const warnings: string[] = [];
const attempts = new Attempts();
let server: RestateProcess;
let worker: Worker;
let client: RestateClient;

/** A session object that runs the prompts of this test. */
const sessions = object({
  name: NAMES.session,
  handlers: {
    run: handlers.object.exclusive(async (context: ObjectContext, { id }: { readonly id: string }) => {
      const running = runs.get(context.key);
      if (running === undefined) throw new Error(`no run ${context.key}`);
      running.attempts++;
      const { world, prompt } = running;
      const events: AgentEvent[] = [];
      const lines: JournalLine[] = [];
      const journal = new LineBuffer();
      const send = (method: string, parameter: unknown): unknown =>
        context.genericSend({ service: NAMES.controller, method, key: context.key, parameter: encoded(parameter) });
      const host = new RestateHost({
        ...{ context, journal, prompt: 1, clock: world.clock, redactor: noRedactor },
        ended: context.request().attemptCompletedSignal,
        closing: new AbortController().signal,
        emit: (event) => events.push(event),
        store: (news) => {
          lines.push(...news);
          context.set(`c:${lines.length}`, news);
        },
        suspend: () => attempts.suspend(context),
        ask: (question) => {
          send("asked", question);
          const { answer } = world.answer(question);
          const words = answer === "no" ? "no" : "yes";
          send("answer", { id: question.id, words, by: "program" });
        },
      });
      running.host = host;
      const conversation = { first: 0, messages: before(), compaction: undefined };
      await runPrompt(host, loopEffects(runOf(world, prompt)), { prompt: 1, conversation });
      host.flush();
      send("ended", { id, steered: host.steered });
      Object.assign(running, { events, lines });
      running.ended.resolve();
    }),
  },
  options: { retryPolicy: { initialInterval: 5, maxInterval: 5 } },
});

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** On a real Restate server. `during` runs while the prompt runs. */
async function onEngine(
  prompt: RandomPrompt,
  during: (running: Running) => Promise<void> = async () => {},
): Promise<Told & { readonly lines: readonly JournalLine[]; readonly attempts: number }> {
  const world = new PromptWorld(prompt);
  const key = objectKey(undefined, crypto.randomUUID());
  const call = (handler: string, parameter: unknown): Promise<unknown> =>
    client.call(NAMES.controller, key, handler, parameter);
  const running: Running = {
    ...{ world, prompt, events: [], lines: [], host: undefined, attempts: 0 },
    ended: Promise.withResolvers<void>(),
  };
  runs.set(key, running);
  let said = 0;
  world.say = async (text) => {
    const isTaken = await call("steer", [{ ...userMessage(text), timestamp: world.clock.now() }]);
    if (isTaken === true) said++;
    await eventually(() => (running.host?.steered ?? 0) >= said || running.host?.isStopped === true);
  };
  world.stop = async () => {
    await call("cancel", "prompt");
    await eventually(() => running.host?.isStopped === true);
  };
  await call("submit", { id: "prompt", text: "go" });
  await Promise.all([running.ended.promise, during(running)]);
  runs.delete(key);
  const { events, lines, attempts } = running;
  return { events, effects: world.effects, transcript: transcriptOf(events), lines, attempts };
}

beforeAll(async () => {
  if (!isInstalled) return;
  server = await restateServer();
  client = new RestateClient(await findServer(server.admin));
  const services = [controllerObject("golden", {}), sessions];
  worker = await startWorker({
    host: "127.0.0.1",
    port: 0,
    services,
    attempts,
    onWarning: (text) => warnings.push(text),
  });
  await registerWorker(client, `http://127.0.0.1:${worker.port}`, []);
}, 60_000);

afterAll(async () => {
  await worker?.stop();
  await server?.[Symbol.asyncDispose]();
});

test.skipIf(!isInstalled)(
  "a prompt gives the same transcript, effects and event ids on files, in a replay and on a Restate server",
  async () => {
    let sameOrder = 0;
    const property = fc.asyncProperty(randomPrompt, async (prompt) => {
      const local = await flushed(prompt);
      const engine = await onEngine(prompt);
      expect(json(engine.transcript)).toStrictEqual(json(local.transcript));
      expect([...engine.effects].sort()).toStrictEqual([...local.effects].sort());
      expect(new Set(engine.effects).size).toBe(engine.effects.length);
      expect(eventOrderProblem(engine.events)).toBeUndefined();
      const order = completed(engine.lines);
      const positional = await byPosition(prompt, { order });
      expect(plain(engine.events)).toStrictEqual(plain(positional.events));
      expect(plain(await replayed(engine.lines))).toStrictEqual(plain(engine.events));
      if (order.join() !== completed(local.lines).join()) return;
      sameOrder++;
      expect(plain(engine.events)).toStrictEqual(plain(local.events));
    });
    await fc.assert(property, CASES);
    console.log(`${sameOrder} of ${CASES.numRuns} prompts completed their calls in the same order`);
    expect(sameOrder).toBeGreaterThan(CASES.numRuns / 2);
  },
  60_000 + CASES.numRuns * 2_000,
);

test.skipIf(!isInstalled)(
  "a prompt whose attempts are cut off at random moments does nothing twice and ends whole",
  async () => {
    let cuts = 0;
    const moments = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 4 });
    const property = fc.asyncProperty(randomPrompt, moments, async (prompt, waits) => {
      const engine = await onEngine(prompt, async ({ ended }) => {
        for (const wait of waits) {
          await Promise.race([Bun.sleep(wait), ended.promise]);
          worker.disconnect();
        }
      });
      cuts += engine.attempts - 1;
      const once = engine.effects.filter((effect) => !effect.startsWith("look "));
      expect(new Set(once).size).toBe(once.length);
      expect(eventOrderProblem(engine.events)).toBeUndefined();
      expect(engine.events.at(-1)?.type).toBe("agent_end");
      expect(transcriptProblems(engine.transcript)).toStrictEqual([]);
      expect(plain(await replayed(engine.lines))).toStrictEqual(plain(engine.events));
    });
    await fc.assert(property, CASES);
    console.log(`${cuts} attempts were cut off in ${CASES.numRuns} prompts`);
    expect(cuts).toBeGreaterThan(CASES.numRuns / 3);
    expect(warnings).toEqual([]);
  },
  60_000 + CASES.numRuns * 4_000,
);
