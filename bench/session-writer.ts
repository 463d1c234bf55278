import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** How large a session is. */
export interface SessionKind {
  readonly messages: number;
  /** Of its journal, about. */
  readonly bytes: number;
  /** Whether a summary stands for all but the last messages. */
  readonly isSummarised?: boolean;
}

const AGENT = "# Agent: Long\n\n## Purpose\n\nBe measured.\n";
const USAGE = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 110 };
const MESSAGES_OF_A_PROMPT = 4;

/** Writes an agent directory whose session `main` has a history: prompts of one question, one call, its result, one answer. */
export async function writeSession(directory: string, { messages, bytes, isSummarised }: SessionKind): Promise<void> {
  const folder = join(directory, "sessions/main");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(directory, "agent.mdx"), AGENT);
  writeFileSync(join(directory, "note.txt"), "A note.\n");
  const prompts = Math.ceil(messages / MESSAGES_OF_A_PROMPT);
  const filling = "word and ".repeat(Math.max(1, Math.floor(bytes / prompts / 9) - 120));
  const descriptor = openSync(join(folder, "journal.jsonl"), "w");
  try {
    for (let prompt = 1; prompt <= prompts; prompt++) {
      for (const [step, result] of steps(prompt, filling)) writeLine(descriptor, { prompt, step, result });
      if (isSummarised && prompt === prompts - 2) {
        writeLine(descriptor, {
          prompt: 0,
          step: "compact:messages",
          result: compaction(prompt * MESSAGES_OF_A_PROMPT),
        });
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

const writeLine = (descriptor: number, line: object): number =>
  writeSync(descriptor, `${JSON.stringify({ v: 1, ...line })}\n`);

const text = (content: string) => [{ type: "text", text: content }];

const answer = (content: readonly object[], stopReason: string) => ({
  role: "assistant",
  content,
  provider: "bench",
  model: "bench",
  usage: USAGE,
  stopReason,
  timestamp: 0,
});

/** The result of the first step of a prompt. */
export const beginning = (prompt: number, question: string): object => ({
  input: { role: "user", content: text(question), timestamp: 0 },
  id: `prompt-${prompt}`,
  plan: {
    models: [{ provider: "bench", name: "bench" }],
    ...{ parameters: {}, retries: [], limits: {}, context: {}, head: 0, tools: [] },
  },
});

function steps(prompt: number, filling: string): readonly (readonly [string, object])[] {
  const call = { type: "toolCall", id: "call", name: "read_file", arguments: { path: "note.txt" } };
  return [
    ["begin", beginning(prompt, "What does the note say?")],
    ["model:1", answer([call], "toolUse")],
    [
      "tool:1:call",
      {
        role: "toolResult",
        toolCallId: "call",
        toolName: "read_file",
        content: text(filling),
        isError: false,
        timestamp: 0,
      },
    ],
    ["model:2", answer(text("It is a note."), "stop")],
    ["end", { outcome: "done", at: 0 }],
  ];
}

const compaction = (replaced: number) => ({
  summary: "They read notes.",
  kept: [],
  message: { role: "user", content: text("They read notes."), timestamp: 0 },
  replaced,
  made: replaced,
  before: 1_000_000,
  after: 100,
  measured: "estimate",
  answer: answer(text("They read notes."), "stop"),
  timestamp: 0,
});
