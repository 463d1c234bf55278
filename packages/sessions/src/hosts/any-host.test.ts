import { expect, test } from "bun:test";
import { join } from "node:path";
import { type AgentEvent, ReferenceEngine, runPrompt } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import type { Inbox, JournalLine } from "@mdx-ai/sessions";
import { conversationBefore, openStoredSession, readRecording, replayPrompt } from "@mdx-ai/sessions";
import { toolRegistry } from "@mdx-ai/tools";
import fc from "fast-check";
import { smallTalk } from "../../../../test/support/conversation.ts";
import { eventOrderProblem } from "../../../../test/support/event-order.ts";
import { lastingEvents } from "../../../../test/support/live-recording.ts";
import { type LoopRun, loopEffects, runLoop } from "../../../../test/support/loop-run.ts";
import { userMessage } from "../../../../test/support/model-request.ts";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { PromptWorld, type RandomPrompt, randomPrompt } from "../../../../test/support/random-prompt.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { transcriptProblems } from "../../../../test/support/transcript-problems.ts";
import { readJournal } from "../journal/read-journal.ts";

const CASES = randomCases(100);

interface Told {
  readonly events: readonly AgentEvent[];
  readonly effects: readonly string[];
  readonly transcript: readonly Message[];
}

/** What was said before; long enough that a small window needs a summary. */
const before = (): Message[] => smallTalk().slice(0, 4);

const runOf = (world: PromptWorld, { plan }: RandomPrompt): LoopRun => ({
  models: world.models,
  tools: world.tools,
  gate: world.gate,
  ask: async (question, signal) => (signal.aborted ? { answer: "no", by: "stop" } : world.answer(question)),
  clock: world.clock,
  plan,
  effects: { budget: world.budget },
  emit() {},
});

const transcriptOf = (events: readonly AgentEvent[]): readonly Message[] =>
  events.flatMap((event) => (event.type === "agent_end" ? event.messages : []));

/** On the local host, with a journal on disk. */
async function flushed(prompt: RandomPrompt): Promise<Told & { readonly lines: readonly JournalLine[] }> {
  using directory = temporaryDirectory();
  const world = new PromptWorld(prompt);
  const cancel = new AbortController();
  const events: AgentEvent[] = [];
  let inbox: Inbox | undefined;
  world.say = async (text) => inbox?.accept({ ...userMessage(text), timestamp: world.clock.now() });
  world.stop = () => cancel.abort();
  const session = openStoredSession({ directory: directory.path, id: "main", clock: { now: () => 0 }, onWarning() {} });
  await session.runPrompt((journal) => {
    journal.conversation.messages.push(...before());
    const onInbox = (opened: Inbox): void => {
      inbox = opened;
    };
    const emit = (event: AgentEvent): void => void events.push(event);
    return runLoop({ ...runOf(world, prompt), signal: cancel.signal, emit, onInbox }, journal);
  });
  session.close();
  const { lines } = readJournal(join(directory.path, "main/journal.jsonl"));
  return { events, effects: world.effects, transcript: transcriptOf(events), lines };
}

interface Restarts {
  readonly order?: readonly string[];
  readonly isKilled?: (completions: number) => boolean;
}

/** On the reference host, which knows positions alone and starts again from the top after every operation. */
async function byPosition(prompt: RandomPrompt, restarts: Restarts): Promise<Told & { readonly kills: number }> {
  const world = new PromptWorld(prompt);
  let answers = 0;
  const engine = new ReferenceEngine({
    ...restarts,
    answer: async (question) => world.answer(question),
    play: async (host) => {
      // All that a process holds in memory is made anew.
      const conversation = { first: 0, messages: before(), compaction: undefined };
      await runPrompt(host, loopEffects(runOf(world, prompt)), { prompt: 1, conversation });
    },
  });
  world.kept = () => answers++;
  world.say = async (text) => engine.say({ ...userMessage(text), timestamp: world.clock.now() });
  world.stop = () => engine.cancel();
  const { events } = await engine.run();
  return { events, effects: world.effects, transcript: transcriptOf(events), kills: engine.kills };
}

async function replayed(lines: readonly JournalLine[]): Promise<readonly AgentEvent[]> {
  const recording = readRecording(lines);
  const [prompt] = recording.prompts;
  if (!prompt) throw new Error("there is no prompt");
  const tools = toolRegistry([], { agentDir: "/", cwd: "/", log: async () => {} });
  const conversation = conversationBefore(recording, prompt);
  conversation.messages.push(...before());
  return Array.fromAsync(replayPrompt(prompt, { tools, conversation }));
}

/** The operations of a prompt in the order of completion; what the inbox journals is none of the loop's. */
const completed = (lines: readonly JournalLine[]): readonly string[] =>
  lines.flatMap((line) =>
    "result" in line && line.prompt > 0 && !/^(steer|deliver):/.test(line.step) ? [line.step] : [],
  );

const plain = (events: readonly AgentEvent[]): unknown => JSON.parse(JSON.stringify(lastingEvents(events)));

test(
  `a prompt gives the same transcript, effects and event ids on the reference host, on files and in a replay`,
  async () => {
    const property = fc.asyncProperty(randomPrompt, async (prompt) => {
      const local = await flushed(prompt);
      const positional = await byPosition(prompt, { order: completed(local.lines) });
      expect(plain(positional.events)).toStrictEqual(plain(local.events));
      expect([...positional.effects].sort()).toStrictEqual([...local.effects].sort());
      expect(new Set(local.effects).size).toBe(local.effects.length);
      expect(eventOrderProblem(local.events)).toBeUndefined();
      expect(plain(await replayed(local.lines))).toStrictEqual(plain(local.events));
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);

test(
  `a host that is killed at random moments, with all that runs, does nothing twice and ends whole`,
  async () => {
    let kills = 0;
    const property = fc.asyncProperty(
      randomPrompt,
      fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
      async (prompt, moments) => {
        const {
          events,
          effects,
          transcript,
          kills: killed,
        } = await byPosition(prompt, {
          isKilled: (completions) => moments.includes(completions),
        });
        kills += killed;
        const once = effects.filter((effect) => !effect.startsWith("look "));
        expect(new Set(once).size).toBe(once.length);
        expect(eventOrderProblem(events)).toBeUndefined();
        expect(events.at(-1)?.type).toBe("agent_end");
        expect(transcriptProblems(transcript)).toStrictEqual([]);
      },
    );
    await fc.assert(property, CASES);
    expect(kills).toBeGreaterThan(CASES.numRuns / 10);
  },
  60_000 + CASES.numRuns * 500,
);
