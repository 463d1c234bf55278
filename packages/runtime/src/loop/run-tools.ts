import { type AssistantMessage, isToolResultMessage, type ToolCall, type ToolResultMessage } from "@mdx-ai/models";
import { type CallStep, callSteps } from "../step-names.ts";
import type { ToolResult } from "../types/tool.ts";
import type { ToolOutcome } from "../types/tool-registry.ts";
import { denialOf } from "./permission.ts";
import type { PromptRun } from "./prompt-run.ts";
import type { RepeatWatch } from "./repeat-watch.ts";
import { INTERRUPTED, NOT_STARTED, tooManyCalls, unrunAnswer } from "./unrun-call.ts";

/** The tool calls of one answer. */
export interface ToolTurn {
  readonly turn: number;
  readonly message: AssistantMessage;
  /** Calls of the prompt before these. */
  readonly callsBefore: number;
  readonly repeats: RepeatWatch;
}

/**
 * Runs the tool calls of a message side by side. They end in the order of completion; the result messages come in the
 * order of the calls, when all have ended. A call that must not run is answered before the next one starts.
 */
export async function runTools(run: PromptRun, { turn, message, ...before }: ToolTurn): Promise<ToolResultMessage[]> {
  const pending: Promise<ToolResultMessage>[] = [];
  for (const { call, step } of callSteps(message, turn)) {
    const toolName = run.tools.nameOf(call.name);
    run.emit({ type: "tool_execution_start", toolCallId: call.id, toolName, args: call.arguments });
    const refusal = refusalOf(run, call, { message, number: before.callsBefore + pending.length + 1 });
    const followed = before.repeats.follow(call);
    const execute = async (): Promise<ToolOutcome> => {
      if (run.signal.aborted) return errorOutcome(NOT_STARTED);
      const onUpdate = (partialResult: ToolResult): void => told(run, call, partialResult);
      return followed.note(await run.tools.run(call, { session: run.session, signal: run.signal, onUpdate }));
    };
    const answered =
      refusal === undefined ? permitted(run, { call, step }, execute) : refuse(run, { call, step }, refusal);
    pending.push(answered);
    // The journal may fail a call while another is waited for; whoever waits for all of them, below, is told.
    const settled = answered.then(followed.end, () => followed.end(undefined));
    if (refusal !== undefined) await settled;
  }
  const results = await Promise.all(pending);
  for (const result of results) {
    run.emit({ type: "message_start", message: result });
    run.emit({ type: "message_end", message: result });
  }
  return results;
}

/** The call's place among those of its prompt, from 1, and the message that it stands in. */
interface CallPlace {
  readonly message: AssistantMessage;
  readonly number: number;
}

function refusalOf({ tools, limits }: PromptRun, call: ToolCall, { message, number }: CallPlace): string | undefined {
  const unrun = unrunAnswer(message);
  if (unrun !== undefined) return unrun;
  if (number > (limits.toolCalls ?? Number.POSITIVE_INFINITY)) return tooManyCalls(limits.toolCalls ?? 0);
  return tools.refusal(call);
}

function told(run: PromptRun, call: ToolCall, partialResult: ToolResult): void {
  const { id: toolCallId, arguments: args } = call;
  const toolName = run.tools.nameOf(call.name);
  run.emit({ type: "tool_execution_update", toolCallId, toolName, args, partialResult });
}

const refuse = (run: PromptRun, callStep: CallStep, reason: string): Promise<ToolResultMessage> =>
  answer(run, callStep, async () => errorOutcome(reason));

/** Runs a call where it is allowed. */
async function permitted(
  run: PromptRun,
  callStep: CallStep,
  execute: () => Promise<ToolOutcome>,
): Promise<ToolResultMessage> {
  const denial = await denialOf(run, callStep);
  return denial === undefined ? answer(run, callStep, execute) : refuse(run, callStep, denial);
}

async function answer(
  run: PromptRun,
  { call, step }: CallStep,
  execute: () => Promise<ToolOutcome>,
): Promise<ToolResultMessage> {
  const readOnly = run.tools.isReadOnly(call.name);
  const interrupted = (): ToolResultMessage => resultMessage(call, errorOutcome(INTERRUPTED), run.now());
  const message = await run.step(step, async () => resultMessage(call, await execute(), run.now()), {
    accepts: isToolResultMessage,
    interrupted: run.tools.isRepeatable(call.name) ? undefined : interrupted,
    eager: readOnly,
  });
  const { content, details, isError } = message;
  run.emit({
    type: "tool_execution_end",
    toolCallId: call.id,
    toolName: run.tools.nameOf(call.name),
    result: { content, ...(details !== undefined && { details }) },
    isError,
  });
  return message;
}

const errorOutcome = (text: string): ToolOutcome => ({ content: [{ type: "text", text }], isError: true });

const resultMessage = (call: ToolCall, outcome: ToolOutcome, timestamp: number): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: outcome.content,
  ...(outcome.details !== undefined && { details: outcome.details }),
  isError: outcome.isError,
  timestamp,
});
