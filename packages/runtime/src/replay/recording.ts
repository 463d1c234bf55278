import { isUserMessage, type Message } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { firstInput } from "../history/prompt-input.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { agentPartsIn } from "../session/own-steps.ts";
import { type PromptNode, promptTree } from "../session/prompt-tree.ts";
import { segmentHead } from "../session/segment-head.ts";
import type { AgentParts } from "../session/session.ts";
import { newestCompaction, promptMessages, spendingOfLines } from "../session/transcript.ts";
import { END_STEP, isIdentityStep, isSteerStep } from "../step-names.ts";
import type { Compaction, Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";

/** A prompt of a recorded session. */
export interface RecordedPrompt {
  /** As the session counts it. */
  readonly number: number;
  /** What the user said at its beginning; empty where that is lost. */
  readonly input: string;
  /** What the user said while it ran. */
  readonly steering: readonly string[];
  /** What its answers came to. */
  readonly spending: Spending;
  /** Whether it came to an end. */
  readonly isWhole: boolean;
  readonly lines: readonly JournalLine[];
  /** How many messages of the transcript came before it, and the newest summary of these. */
  readonly messagesBefore: number;
  readonly compactionBefore: Compaction | undefined;
  /** What the agent was then; absent where the journal does not tell. */
  readonly agent: AgentParts | undefined;
}

/** A recorded session: the prompts of its transcript, without those that were left by going back to an earlier one. */
export interface Recording {
  /** The messages of all prompts, in their order. */
  readonly messages: readonly Message[];
  readonly prompts: readonly RecordedPrompt[];
  /** What the code in the agent's prose gave, as Markdown; absent where there was none. */
  readonly identity: string | undefined;
}

/** Reads the lines of a session's journals, in the order in which they were written. */
export function readRecording(lines: readonly JournalLine[]): Recording {
  const agents = agentsByPrompt(lines);
  const { path } = promptTree(lines, { lastPrompt: 0, head: 0 });
  const prompts = path.filter((node) => node.number > 0 && node.lines.length > 0);
  const messages: Message[] = [];
  const starts = new Map<PromptNode, number>();
  for (const node of path) {
    starts.set(node, messages.length);
    messages.push(...promptMessages(node.lines));
  }
  const about = (node: PromptNode): Before => {
    const messagesBefore = starts.get(node) ?? 0;
    const compactionBefore = newestCompaction(path.slice(0, path.indexOf(node)), messagesBefore);
    return { messagesBefore, compactionBefore, agent: agents.get(node.number) };
  };
  return {
    messages,
    prompts: prompts.map((node) => recordedPrompt(node.lines, about(node))),
    identity: renderedIdentity(lines),
  };
}

/** What was there when a prompt began. */
type Before = Pick<RecordedPrompt, "agent" | "messagesBefore" | "compactionBefore">;

/** The conversation when a prompt of a recording began. */
export const conversationBefore = (
  { messages }: Recording,
  { messagesBefore, compactionBefore: compaction }: RecordedPrompt,
): Conversation => ({ first: 0, messages: messages.slice(0, messagesBefore), compaction });

function recordedPrompt(lines: readonly JournalLine[], before: Before): RecordedPrompt {
  return {
    number: lines[0]?.prompt ?? 0,
    input: contentText(firstInput(lines)?.content ?? []),
    steering: lines.flatMap((line) =>
      "result" in line && isSteerStep(line.step) && isUserMessage(line.result)
        ? [contentText(line.result.content)]
        : [],
    ),
    spending: spendingOfLines(lines),
    isWhole: lines.some((line) => line.step === END_STEP && "result" in line),
    lines,
    ...before,
  };
}

/** What the agent was when each prompt began: what was told last before its first line. */
function agentsByPrompt(lines: readonly JournalLine[]): ReadonlyMap<number, AgentParts | undefined> {
  const agents = new Map<number, AgentParts | undefined>();
  let agent: AgentParts | undefined;
  for (const line of lines) {
    if (line.prompt > 0 && !agents.has(line.prompt)) agents.set(line.prompt, agent);
    for (const own of [line, ...(segmentHead(line)?.own ?? [])]) agent = agentPartsIn(own) ?? agent;
  }
  return agents;
}

function renderedIdentity(lines: readonly JournalLine[]): string | undefined {
  const own = lines.flatMap((line) => [line, ...(segmentHead(line)?.own ?? [])]);
  const line = own.findLast(({ prompt, step }) => prompt === 0 && isIdentityStep(step));
  return line && "result" in line && typeof line.result === "string" ? line.result : undefined;
}
