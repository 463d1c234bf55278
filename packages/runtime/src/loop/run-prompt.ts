import { type AssistantMessage, isUserMessage, type StopReason, type UserMessage } from "@mdx-ai/models";
import { deliverStep, END_STEP, inputStep } from "../step-names.ts";
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
  const undelivered = await run.steering.end(run.step);
  const end = await run.step(END_STEP, async () => ({ ...ending, at: run.now() }), { accepts: isPromptEnd });
  if (end.limit) run.emit({ type: "limit_reached", ...end.limit });
  const { spending } = asking;
  run.emit({
    type: "agent_end",
    messages: messages.slice(before),
    outcome: end.outcome,
    spending,
    ...(undelivered.length > 0 && { undelivered }),
  });
  return spending;
}

async function takeInput(run: PromptRun): Promise<UserMessage> {
  const draw = async (): Promise<UserMessage> => ({
    role: "user",
    content: [{ type: "text", text: run.input }],
    timestamp: run.now(),
  });
  const message = await run.step(inputStep(run.queued), draw, { accepts: isUserMessage });
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
    const limit = isDecided(run, turns + 1) ? undefined : reachedLimit(run, progress);
    if (!limit) run.emit({ type: "turn_start" });
    if (turns === 0) conversation.messages.push(await takeInput(run));
    if (limit) return { outcome: "limit", limit };
    await listen(run, conversation, turns + 1);
    const turn = { turn: turns + 1, callsBefore: calls, repeats };
    const { stopReason, content } = await runTurn(run, turn, { conversation, asking });
    const made = content.filter((block) => block.type === "toolCall").length;
    const ending = endingAfter(run, stopReason, made);
    if (ending && !(ending.outcome === "done" && hasMoreToHear(run, turns + 2))) return ending;
    calls += made;
    pauses = stopReason === "pause" ? pauses + 1 : 0;
  }
}

/** Whether an earlier process has begun a turn: what it was told then is a part of the transcript. */
const isDecided = (run: PromptRun, turn: number): boolean =>
  run.recorded.has(deliverStep(turn)) || hasBegun(run, turn, 1);

/** Takes up what the user said since the model was asked last. */
async function listen(run: PromptRun, { messages }: Conversation, turn: number): Promise<void> {
  if (!hasMoreToHear(run, turn)) return;
  for (const message of await run.steering.deliver(run.step, turn)) {
    messages.push(message);
    run.emit({ type: "message_start", message });
    run.emit({ type: "message_end", message });
  }
}

/**
 * Whether a turn begins with something that the user said. Where an earlier process has begun it, that one has decided.
 * A prompt that is stopped tells the model nothing more.
 */
const hasMoreToHear = (run: PromptRun, turn: number): boolean =>
  run.recorded.has(deliverStep(turn)) || (!hasBegun(run, turn, 1) && !run.signal.aborted && run.steering.isWaiting);

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
