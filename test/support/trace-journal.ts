import type { AssistantContent, AssistantMessage } from "@mdx-ai/models";
import { assistantMessage, toolResult, userMessage } from "./model-request.ts";
import { beginOf } from "./prompt-steps.ts";

const HOUR = 3_600_000;

/** What a page must show as it is, and never act upon. */
export const HOSTILE = `</pre></script><script>document.title='gone'</script><img src=x onerror="document.title='gone'">
\u001b[31mred\u0007 and abc\u202ecod.exe`;

const usage = { input: 1200, output: 300, cacheRead: 9000, cacheWrite: 0, thinking: 100, total: 10500 };

const call = (id: string, name: string, args: Readonly<Record<string, string>>): AssistantContent => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});

const answer = (text: string, at: number, rest: Partial<AssistantMessage> = {}): AssistantMessage =>
  assistantMessage([{ type: "text", text }], { timestamp: at, latency: 1000, usage, cost: 0.01, ...rest });

const calling = (at: number, ...calls: readonly AssistantContent[]): AssistantMessage =>
  answer("Let me look.", at, { stopReason: "toolUse", content: [{ type: "text", text: "Let me look." }, ...calls] });

type Line = readonly [prompt: number, step: string, result?: unknown];

/**
 * A session with all that a journal tells of: a failed attempt and a wait, tools beside each other, steering, a night between
 * two processes, hostile texts, an error, a rewind and an input from the queue. 14 steps with a time of their own.
 */
const LINES: readonly Line[] = [
  [0, "identity", "# Agent"],
  [0, "agent:1", { name: "1" }],
  [1, "begin", beginOf({ ...userMessage(`Look ${HOSTILE}`), timestamp: 0 })],
  [
    1,
    "model:1",
    answer("", 10, { stopReason: "error", errorMessage: "overloaded", failure: { isTransient: true, status: 529 } }),
  ],
  [1, "retry:1#2", { delay: 500, until: 500 }],
  [1, "model:1#2", calling(1600, call("a", "bash", { command: "ls" }), call("b", "read_file", { path: HOSTILE }))],
  [1, "tool:1:b", toolResult("b", HOSTILE, { timestamp: 3000, isError: true })],
  [1, "tool:1:a", toolResult("a", "line\n".repeat(20_000), { timestamp: 5000 })],
  [1, "steer:1", { ...userMessage("Not so fast"), timestamp: 4000 }],
  [1, "deliver:2", { upTo: 1 }],
  [1, "model:2", calling(5010, call("c", "bash", { command: "sleep 9" }))],
  [1, "tool:2:c"],
  [1, "resume:1", { at: 9 * HOUR }],
  [1, "tool:2:c", toolResult("c", "interrupted, outcome unknown", { timestamp: 9 * HOUR + 1, isError: true })],
  [1, "model:3", answer("That was it.", 9 * HOUR + 10)],
  [1, "end", { outcome: "done", at: 9 * HOUR + 1020 }],
  [0, "agent:2", { name: "2" }],
  [2, "begin", beginOf({ ...userMessage("And now?"), timestamp: 10 * HOUR })],
  [2, "model:1", answer("half", 10 * HOUR + 5, { stopReason: "error", errorMessage: "connection reset" })],
  [2, "end", { outcome: "error", at: 10 * HOUR + 1010 }],
  [0, "queue:1", { text: "Then the docs", id: "docs", at: 10 * HOUR }],
  [0, "head:1", { prompt: 1, at: 10 * HOUR + 5000 }],
  [3, "begin", { ...beginOf({ ...userMessage("Then the docs"), timestamp: 10 * HOUR + 6000 }), queued: 1 }],
  [3, "model:1", calling(10 * HOUR + 6005, call("d", "bash", { command: "true" }))],
  [3, "tool:1:d"],
];

/** The text of a journal that holds this session. */
export const traceJournal = (): string => journalText(LINES);

/** The text of a journal with so many prompts of so many turns with a tool each. */
export function longJournal(prompts: number, turns: number): string {
  const lines: Line[] = [];
  for (let prompt = 1, at = 0; prompt <= prompts; prompt++, at += 60_000) {
    lines.push([prompt, "begin", beginOf({ ...userMessage(`Do ticket ${prompt}`), timestamp: at })]);
    for (let turn = 1; turn <= turns; turn++, at += 1500) {
      lines.push([prompt, `model:${turn}`, calling(at, call("a", "read_file", { path: `src/file-${turn}.ts` }))]);
      lines.push([prompt, `tool:${turn}:a`, toolResult("a", "line of a file\n".repeat(200), { timestamp: at + 1400 })]);
    }
    lines.push([prompt, "end", { outcome: "done", at }]);
  }
  return journalText(lines);
}

const journalText = (lines: readonly Line[]): string =>
  lines
    .map(([prompt, step, result]) => ({
      v: 1,
      prompt,
      step,
      ...(result === undefined ? { started: true } : { result }),
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
