import { type AssistantMessage, isUserMessage, type StopReason, type UserMessage } from "@mdx-ai/models";
import type { Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import type { PromptOutcome } from "../types/module.ts";
import { Asking, answerTurn, hasBegun } from "./answer-turn.ts";
import { type ReachedLimit, reachedLimit } from "./limits.ts";
import { isPromptEnd } from "./prompt-end.ts";
import type { PromptRun } from "./prompt-run.ts";
import { RepeatWatch } from "./repeat-watch.ts";
import { runTools } from "./run-tools.ts";

/**
 * Works off one prompt: asks the model, runs the tools that it calls, and asks again until it calls none.
 * The conversation grows. Events come as pi-agent-core sends them, with a few more.
 * Resolves to what it came to. Rejects only when a step cannot be journaled.
 */
export async function runPrompt(run: PromptRun, conversation: Conversation): Promise<Spending> {
  const { messages } = conversation;
  const before = messages.length;
  const asking = new Asking(run, conversation);
  run.emit({ type: "agent_start" });
  const ending = await runTurns(run, conversation, asking);
  const end = await run.step("end", async () => ({ ...ending, at: run.now() }), { accepts: isPromptEnd });
  if (end.limit) run.emit({ type: "limit_reached", ...end.limit });
  const { spending } = asking;
  run.emit({ type: "agent_end", messages: messages.slice(before), outcome: end.outcome, spending });
  return spending;
}

async function takeInput(run: PromptRun): Promise<UserMessage> {
  const draw = async (): Promise<UserMessage> => ({
    role: "user",
    content: [{ type: "text", text: run.input }],
    timestamp: run.now(),
  });
  const message = await run.step("user", draw, { accepts: isUserMessage });
  run.emit({ type: "message_start", message });
  run.emit({ type: "message_end", message });
  return message;
}

/** How the turns of a prompt ended. */
interface Ending {
  readonly outcome: PromptOutcome;
  readonly limit?: ReachedLimit;
}

async function runTurns(run: PromptRun, conversation: Conversation, asking: Asking): Promise<Ending> {
  const repeats = new RepeatWatch();
  let calls = 0;
  let pauses = 0;
  for (let turns = 0; ; turns++) {
    const progress = { turns, spending: asking.spending, repeats: repeats.longest, pauses };
    const limit = hasBegun(run, turns + 1, 1) ? undefined : reachedLimit(run, progress);
    if (!limit) run.emit({ type: "turn_start" });
    if (turns === 0) conversation.messages.push(await takeInput(run));
    if (limit) return { outcome: "limit", limit };
    const turn = { turn: turns + 1, callsBefore: calls, repeats };
    const { stopReason, content } = await runTurn(run, turn, { conversation, asking });
    const made = content.filter((block) => block.type === "toolCall").length;
    const ending = endingAfter(run, stopReason, made);
    if (ending) return ending;
    calls += made;
    pauses = stopReason === "pause" ? pauses + 1 : 0;
  }
}

/** Reasons after which there is no sense in going on, whatever the answer calls for. */
const ENDING: readonly StopReason[] = ["refusal", "contextExceeded"];

/** How a prompt ends after an answer with so many calls; undefined where it goes on. */
function endingAfter(run: PromptRun, stopReason: StopReason, calls: number): Ending | undefined {
  if (stopReason === "error" || stopReason === "aborted") return brokenOff(run, stopReason);
  const isLast = ENDING.includes(stopReason) || (calls === 0 && stopReason !== "pause");
  return isLast ? { outcome: "done" } : undefined;
}

/** A prompt whose time was over ends by its limit. */
function brokenOff({ limits, deadline }: PromptRun, outcome: "error" | "aborted"): Ending {
  if (outcome === "error" || !deadline?.aborted || limits.seconds === undefined) return { outcome };
  return { outcome: "limit", limit: { limit: "seconds", value: limits.seconds } };
}

/** What a turn needs to know of those before. */
interface TurnStart {
  readonly turn: number;
  readonly callsBefore: number;
  readonly repeats: RepeatWatch;
}

/** One model call and the tool calls that it asks for. */
async function runTurn(
  run: PromptRun,
  { turn, callsBefore, repeats }: TurnStart,
  talk: { readonly conversation: Conversation; readonly asking: Asking },
): Promise<AssistantMessage> {
  const { messages } = talk.conversation;
  const message = await answerTurn(run, turn, talk.asking);
  messages.push(message);
  const ended = message.stopReason === "error" || message.stopReason === "aborted";
  const toolResults = ended ? [] : await runTools(run, { turn, message, callsBefore, repeats });
  messages.push(...toolResults);
  run.emit({ type: "turn_end", message, toolResults });
  return message;
}
