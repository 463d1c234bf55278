import { join } from "node:path";
import { type AgentEvent, ReferenceEngine, runPrompt } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import type { Inbox, JournalLine } from "@mdx-ai/sessions";
import { conversationBefore, openStoredSession, readRecording, replayPrompt } from "@mdx-ai/sessions";
import { toolRegistry } from "@mdx-ai/tools";
import { readJournal } from "../../packages/sessions/src/journal/read-journal.ts";
import { writeFiles } from "./agent-files.ts";
import { smallTalk } from "./conversation.ts";
import { lastingEvents } from "./live-recording.ts";
import { type LoopRun, loopEffects, runLoop } from "./loop-run.ts";
import { userMessage } from "./model-request.ts";
import { keepAnswers } from "./prompt-corpus.ts";
import { PromptWorld, type RandomPrompt } from "./random-prompt.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** What a host told of a prompt. */
export interface Told {
  readonly events: readonly AgentEvent[];
  readonly effects: readonly string[];
  readonly transcript: readonly Message[];
}

/** What was said before; long enough that a small window needs a summary. */
export const before = (): Message[] => smallTalk().slice(0, 4);

/** A run of a prompt in its world. */
export const runOf = (world: PromptWorld, { plan }: RandomPrompt): LoopRun => ({
  models: world.models,
  tools: world.tools,
  gate: world.gate,
  ask: async (question, signal) => (signal.aborted ? { answer: "no", by: "stop" } : world.answer(question)),
  clock: world.clock,
  plan,
  effects: { budget: world.budget },
  emit() {},
});

/** The messages of a prompt that has ended. */
export const transcriptOf = (events: readonly AgentEvent[]): readonly Message[] =>
  events.flatMap((event) => (event.type === "agent_end" ? event.messages : []));

interface EarlierProcess {
  /** The lines that an earlier process has written. */
  readonly earlier?: readonly JournalLine[];
  /** As `keepAnswers`. */
  readonly keepsAnswers?: boolean;
}

/** On the local host, with a journal on disk. */
export async function flushed(
  prompt: RandomPrompt,
  { earlier = [], keepsAnswers = false }: EarlierProcess = {},
): Promise<Told & { readonly lines: readonly JournalLine[] }> {
  using directory = temporaryDirectory();
  if (earlier.length > 0) {
    const text = earlier.map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFiles(directory.path, { "main/id": "main\n", "main/journal.jsonl": text });
  }
  const world = new PromptWorld(prompt);
  const cancel = new AbortController();
  const events: AgentEvent[] = [];
  if (keepsAnswers) keepAnswers(world, () => events);
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
export async function byPosition(prompt: RandomPrompt, restarts: Restarts): Promise<Told & { readonly kills: number }> {
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

/** In a replay of its lines. */
export async function replayed(lines: readonly JournalLine[]): Promise<readonly AgentEvent[]> {
  const recording = readRecording(lines);
  const [prompt] = recording.prompts;
  if (!prompt) throw new Error("there is no prompt");
  const tools = toolRegistry([], { agentDir: "/", cwd: "/", log: async () => {} });
  const conversation = conversationBefore(recording, prompt);
  conversation.messages.push(...before());
  return Array.fromAsync(replayPrompt(prompt, { tools, conversation }));
}

/** The operations of a prompt in the order of completion; what the inbox journals is none of the loop's. */
export const completed = (lines: readonly JournalLine[]): readonly string[] =>
  lines.flatMap((line) =>
    "result" in line && line.prompt > 0 && !/^(steer|deliver):/.test(line.step) ? [line.step] : [],
  );

/** The events that last, as plain data. */
export const plain = (events: readonly AgentEvent[]): unknown => JSON.parse(JSON.stringify(lastingEvents(events)));
