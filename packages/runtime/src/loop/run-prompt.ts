import { type AssistantMessage, isUserMessage, type Message, type UserMessage } from "@mdx-ai/models";
import type { PromptOutcome } from "../types/module.ts";
import { askModel } from "./ask-model.ts";
import { isPromptEnd, type PromptEnd } from "./prompt-end.ts";
import type { PromptRun } from "./prompt-run.ts";
import { runTools } from "./run-tools.ts";

/**
 * Works off one prompt: asks the model, runs the tools that it calls, and asks again until it calls none.
 * `messages` is the session's transcript and grows. Events come as pi-agent-core sends them.
 * Rejects only when a step cannot be journaled.
 */
export async function runPrompt(run: PromptRun, messages: Message[]): Promise<PromptEnd> {
  const before = messages.length;
  run.emit({ type: "agent_start" });
  run.emit({ type: "turn_start" });
  messages.push(await takeInput(run));
  const outcome = await runTurns(run, messages);
  const end = await run.step("end", async () => ({ outcome, at: run.now() }), { accepts: isPromptEnd });
  run.emit({ type: "agent_end", messages: messages.slice(before), outcome });
  return end;
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

async function runTurns(run: PromptRun, messages: Message[]): Promise<PromptOutcome> {
  for (let turn = 1; ; turn++) {
    if (turn > 1) run.emit({ type: "turn_start" });
    const { stopReason, content } = await runTurn(run, turn, messages);
    if (stopReason === "error" || stopReason === "aborted") return stopReason;
    if (stopReason !== "pause" && !content.some((block) => block.type === "toolCall")) return "done";
    if (turn >= run.maxTurns) {
      run.emit({ type: "limit_reached", limit: "turns", value: run.maxTurns });
      return "limit";
    }
  }
}

/** One model call and the tool calls that it asks for. */
async function runTurn(run: PromptRun, turn: number, messages: Message[]): Promise<AssistantMessage> {
  const message = await askModel(run, turn, messages);
  messages.push(message);
  const ended = message.stopReason === "error" || message.stopReason === "aborted";
  const toolResults = ended ? [] : await runTools(run, turn, message);
  messages.push(...toolResults);
  run.emit({ type: "turn_end", message, toolResults });
  return message;
}
