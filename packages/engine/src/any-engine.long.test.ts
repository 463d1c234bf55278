import { afterAll, beforeAll, expect, test } from "bun:test";
import { noRedactor } from "@mdx-ai/base";
import { type AgentEvent, type Answer, type Question, runPrompt } from "@mdx-ai/loop";
import type { HostedSession } from "@mdx-ai/runtime";
import { Inbox, type JournalLine } from "@mdx-ai/sessions";
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
import { CORPUS, keepAnswers } from "../../../test/support/prompt-corpus.ts";
import { randomCases } from "../../../test/support/random-cases.ts";
import { PromptWorld, type RandomPrompt, randomPrompt } from "../../../test/support/random-prompt.ts";
import { type RestateProcess, restateProgram, restateServer } from "../../../test/support/restate-server.ts";
import { transcriptProblems } from "../../../test/support/transcript-problems.ts";
import { controllerObject } from "./controller-object.ts";
import { OpenSessions } from "./open-sessions.ts";
import { isAnswerOutcome, isSessionLines, isSessionState, objectKey, serviceNames } from "./protocol.ts";
import { registerWorker } from "./register-worker.ts";
import { findServer, RestateClient } from "./restate-client.ts";
import { RestateHost } from "./restate-host.ts";
import { sessionObject } from "./session-object.ts";
import { Attempts, startWorker, type Worker } from "./worker.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const CASES = randomCases(300);
const NAMES = serviceNames("golden");

/** The id of the prompt that is submitted. */
const FIRST = "prompt";

/** A prompt as it runs in this process, which is the worker. */
interface Running {
  readonly world: PromptWorld;
  readonly prompt: RandomPrompt;
  /** Of the last attempt. */
  events: readonly AgentEvent[];
  host: RestateHost | undefined;
  attempts: number;
  hasEnded: boolean;
  /** Called after each event of an attempt with their count. */
  onEvent?: (count: number) => void;
}

const runs = new Map<string, Running>();
const warnings: string[] = [];
let server: RestateProcess;
let worker: Worker;
let client: RestateClient;

/** What runs the prompt of a session, in place of an open agent. */
const sessionOf = (id: string): Pick<HostedSession, "run"> => ({
  run: async (opened, { id: promptId, hostOf, signal }) => {
    const running = runs.get(id);
    if (running === undefined) throw new Error(`no run ${id}`);
    const { world, prompt } = running;
    // Input that came too late for the prompt runs after it as a separate prompt.
    const isFirst = promptId === FIRST;
    const events: AgentEvent[] = [];
    if (isFirst) {
      running.attempts++;
      running.events = events;
    }
    const emit = (event: AgentEvent): void => {
      events.push(event);
      if (isFirst) running.onEvent?.(events.length);
      if (event.type === "question_asked") void answer(id, event.question);
    };
    await opened.runPrompt(
      async (journal) => {
        const { conversation } = journal;
        if (conversation.messages.length === 0) conversation.messages.push(...before());
        const inbox = new Inbox(journal);
        const ask = async (): Promise<Answer> => ({ answer: "no", by: "stop" });
        const closing = new AbortController().signal;
        using host = hostOf({ ...journal, ...{ clock: world.clock, signal, closing, inbox, ask, emit } });
        running.host = host instanceof RestateHost ? host : undefined;
        await runPrompt(host, loopEffects(runOf(world, prompt)), { prompt: journal.prompt, conversation });
      },
      { id: promptId },
    );
    running.hasEnded = true;
  },
});

const call = (id: string, handler: string, parameter?: unknown): Promise<unknown> =>
  client.call(NAMES.controller, objectKey(undefined, id), handler, parameter);

/** Answers as the user does: when the controller knows the question. */
async function answer(id: string, question: Question): Promise<void> {
  const running = runs.get(id);
  if (running === undefined) return;
  const words = running.world.answer(question).answer === "no" ? "no" : "yes";
  while (!running.hasEnded) {
    const found = await call(id, "answer", { id: question.id, words, by: "program" }).catch(() => undefined);
    if (isAnswerOutcome(found) && found.outcome !== "unknown") return;
    await Bun.sleep(5);
  }
}

/** The lines of a session whose prompts have ended. */
async function linesOf(id: string): Promise<readonly JournalLine[]> {
  const isIdle = async (): Promise<boolean> => {
    const found = await call(id, "state");
    return isSessionState(found) && found.state.running === undefined && found.state.queue.length === 0;
  };
  while (!(await isIdle())) await Bun.sleep(5);
  const found = await client.call(NAMES.session, objectKey(undefined, id), "lines", { after: 0 });
  if (!isSessionLines(found)) throw new Error("no lines");
  return found.lines;
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** On a real Restate server. `during` begins before the prompt is submitted. */
async function onEngine(
  prompt: RandomPrompt,
  during: (running: Running) => Promise<void> = async () => {},
): Promise<Told & { readonly lines: readonly JournalLine[]; readonly attempts: number }> {
  const world = new PromptWorld(prompt);
  const id = crypto.randomUUID();
  const running: Running = {
    ...{ world, prompt, events: [], host: undefined, attempts: 0, hasEnded: false },
  };
  runs.set(id, running);
  let said = 0;
  world.say = async (text) => {
    const isTaken = await call(id, "steer", [{ ...userMessage(text), timestamp: world.clock.now() }]);
    if (isTaken === true) said++;
    await eventually(() => (running.host?.steered ?? 0) >= said || running.host?.isStopped === true);
  };
  world.stop = async () => {
    await call(id, "cancel", FIRST);
    await eventually(() => running.host?.isStopped === true);
  };
  const done = during(running);
  await call(id, "submit", { id: FIRST, text: "go" });
  await done;
  await eventually(() => running.hasEnded);
  const lines = await linesOf(id);
  runs.delete(id);
  const { events, attempts } = running;
  return { events, effects: world.effects, transcript: transcriptOf(events), lines, attempts };
}

/** Starts a worker of its own version, and registers it at the address of the one before it. */
async function startVersion(port = 0): Promise<void> {
  const open = new OpenSessions(async (key, before) => {
    const found = await client.call(NAMES.session, key, "lines", { after: 0, before });
    if (!isSessionLines(found)) throw new Error("no lines");
    return found;
  });
  const onWarning = (text: string): void => void warnings.push(text);
  const attempts = new Attempts();
  const parts = { open, attempts, onWarning, redactor: noRedactor, leave: () => {}, deliver: async () => {} };
  const services = [
    controllerObject("golden", {}),
    sessionObject("golden", {}, { ...parts, session: async (_user, id) => sessionOf(id) }),
  ];
  worker = await startWorker({ host: "127.0.0.1", port, services, attempts, onWarning });
  await registerWorker(client, `http://127.0.0.1:${worker.port}`, []);
}

beforeAll(async () => {
  if (!isInstalled) return;
  server = await restateServer();
  client = new RestateClient(await findServer(server.admin));
  await startVersion();
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
    // After an event, or in the middle of what follows.
    const moment = fc.record({ count: fc.integer({ min: 1, max: 20 }), wait: fc.integer({ min: 0, max: 5 }) });
    const property = fc.asyncProperty(randomPrompt, fc.array(moment, { maxLength: 4 }), async (prompt, moments) => {
      const engine = await onEngine(prompt, async (running) => {
        running.onEvent = (count) => {
          const next = moments[running.attempts - 1];
          if (count === next?.count) setTimeout(() => worker.disconnect(), next.wait);
        };
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

test.skipIf(!isInstalled).each(CORPUS)(
  "a prompt with %s is finished with the same transcript by a new version of the worker, wherever the old one ends",
  async (_name, prompt) => {
    const keep = (running: Running): void => keepAnswers(running.world, () => running.events);
    const whole = await onEngine(prompt, async (running) => keep(running));
    const { length } = whole.events;
    expect(length).toBeGreaterThan(8);
    let cuts = 0;
    for (let moment = 1; moment < length; moment++) {
      const isAt = Promise.withResolvers<void>();
      const cut = await onEngine(prompt, async (running) => {
        keep(running);
        running.onEvent = (count) => {
          if (count === moment) isAt.resolve();
        };
        await isAt.promise;
        const { port } = worker;
        await worker.stop();
        await startVersion(port);
      });
      cuts += cut.attempts - 1;
      expect(json(cut.transcript)).toStrictEqual(json(whole.transcript));
      expect(eventOrderProblem(cut.events)).toBeUndefined();
      expect(plain(await replayed(cut.lines))).toStrictEqual(plain(cut.events));
    }
    console.log(`${cuts} of ${length - 1} ends of a worker interrupted the prompt`);
    expect(cuts).toBeGreaterThan(length / 2);
    expect(warnings).toEqual([]);
  },
  120_000,
);
