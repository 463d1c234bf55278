import { toolRegistry } from "../agent/tool-registry.ts";
import { RepeatWatch } from "../loop/repeat-watch.ts";
import type { ToolOutcome, ToolRegistry } from "../types/tool-registry.ts";
import type { RecordedCall } from "./recorded-calls.ts";
import type { LiveTools } from "./replay.ts";
import type { ToolAnswer } from "./tool-difference.ts";
import { isUnrun } from "./unrun-call.ts";

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
  { signal, onDifference }: LiveTools,
): (call: RecordedCall) => Promise<void> {
  const repeats = new RepeatWatch();
  return async ({ step, call, result, isRefused }) => {
    signal.throwIfAborted();
    const followed = repeats.follow(call);
    if (result === undefined || isUnrun(result)) return followed.end(result);
    const now = await outcomeOf();
    await followed.end(result);
    signal.throwIfAborted();
    if (isSame(result, now)) return;
    const { content, isError } = result;
    const recorded = { content, isError };
    const name = registry.nameOf(call.name);
    onDifference({ prompt, step, name, arguments: call.arguments, recorded, now: answerOf(now) });

    async function outcomeOf(): Promise<ToolOutcome> {
      const refusal = registry.refusal(call);
      if (refusal !== undefined) return textOutcome(refusal, true);
      if (isRefused) return textOutcome(WOULD_RUN, false);
      return followed.note(await registry.run(call, { signal, onUpdate: () => {} }));
    }
  };
}

const WOULD_RUN = "the call was refused then, and would be run today";

const textOutcome = (text: string, isError: boolean): ToolOutcome => ({ content: [{ type: "text", text }], isError });

const answerOf = ({ content, isError }: ToolAnswer): ToolAnswer => ({ content, isError });

/** Both are JSON: what a tool leaves undefined is not kept. */
const isSame = (one: ToolAnswer, other: ToolAnswer): boolean =>
  JSON.stringify(answerOf(one)) === JSON.stringify(answerOf(other));
