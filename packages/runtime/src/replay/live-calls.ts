import { toolRegistry } from "../agent/tool-registry.ts";
import type { CallHistory } from "../history/prompt-history.ts";
import { withoutNote } from "../loop/repeat-watch.ts";
import { isUnrun } from "../loop/unrun-call.ts";
import type { ToolOutcome, ToolRegistry } from "../types/tool-registry.ts";
import type { LiveTools, ToolAnswer } from "./replay.ts";

/** The tools of a live agent, as the loop runs them. */
export const liveRegistry = (agentDir: string, { tools, cwd, log }: LiveTools): ToolRegistry =>
  toolRegistry(tools, { agentDir, cwd, log: (message) => log(message) });

/**
 * Runs the calls of a recorded prompt again, with the arguments that they had. Calls that were not run then are not run now.
 * Rejects when the signal fires.
 */
export function rerunCalls(
  prompt: number,
  registry: ToolRegistry,
  { signal, isPartial, onDifference }: LiveTools,
): (call: CallHistory) => Promise<void> {
  const known = new Set(registry.schemas.map(({ name }) => name));
  return async (recorded) => {
    signal.throwIfAborted();
    const { step, call, result } = recorded;
    const isSkipped = isPartial && !known.has(call.name);
    if (result === undefined || isUnrun(result) || isSkipped) return;
    const now = answerOf(await outcomeOf(recorded, registry, signal));
    signal.throwIfAborted();
    // The loop adds the note about repeated calls, not the tool.
    const then = answerOf(withoutNote(result));
    // Both are JSON.
    if (JSON.stringify(then) === JSON.stringify(now)) return;
    onDifference({ prompt, step, name: registry.nameOf(call.name), arguments: call.arguments, recorded: then, now });
  };
}

async function outcomeOf(
  { call, decision }: CallHistory,
  registry: ToolRegistry,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const refusal = registry.refusal(call);
  if (refusal !== undefined) return textOutcome(refusal, true);
  return typeof decision === "object"
    ? textOutcome(WOULD_RUN, false)
    : registry.run(call, { session: "replay", signal, onUpdate: () => {} });
}

const WOULD_RUN = "the call was refused then, and would be run today";

const textOutcome = (text: string, isError: boolean): ToolOutcome => ({ content: [{ type: "text", text }], isError });

const answerOf = ({ content, isError }: ToolAnswer): ToolAnswer => ({ content, isError });
