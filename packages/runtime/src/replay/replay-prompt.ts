import type { LanguageModel } from "@mdx-ai/models";
import { workEvents } from "../agent/work-events.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isPromptEnd } from "../loop/prompt-end.ts";
import type { PromptRun } from "../loop/prompt-run.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import { openGate } from "../permissions/open-gate.ts";
import { noSpending } from "../spending/spending.ts";
import { END_STEP, isModelStep, queuedNumber, turnOf } from "../step-names.ts";
import type { AgentEvent } from "../types/event.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { type RecordedCall, recordedCalls } from "./recorded-calls.ts";
import { recordedModels } from "./recorded-models.ts";
import { RecordedSteering } from "./recorded-steering.ts";
import { recordedTools } from "./recorded-tools.ts";
import type { RecordedPrompt } from "./recording.ts";
import { RecordingEndError, ReplayError } from "./replay-error.ts";
import { type ReplayHost, replayHost } from "./replay-host.ts";

export interface PromptReplayOptions {
  /** Knows the names of tools. */
  readonly tools: ToolRegistry;
  /** How often a failed model call might have been repeated, which events tell and the journal does not. */
  readonly retries: number;
  /** As `ReplayHostOptions.rerun`; begins anew for each prompt. */
  readonly rerun?: (call: RecordedCall) => Promise<void>;
}

/**
 * Plays a recorded prompt: the loop works it off again, and each of its steps is looked up. Gives the events as they were,
 * but for one update a block of an answer and none of running tools; those of a prompt that was cut short end without
 * `agent_end`. Throws `ReplayError`, or what `rerun` rejects with.
 */
export function replayPrompt(
  prompt: RecordedPrompt,
  options: PromptReplayOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { tools, rerun } = options;
  return workEvents(async (emit) => {
    const calls = recordedCalls(prompt.lines, (call) => tools.refusal(call));
    const host = replayHost(prompt.lines, { calls, ...(rerun && { rerun }) });
    const run = recordedRun(prompt.lines, { ...options, tools: recordedTools(tools, calls.values()) });
    await work(prompt, host, { ...run, step: host.step, emit: (event) => emit(plausible(event)) });
  });
}

/** More repetitions than the settings of today allow were allowed then. */
const plausible = (event: AgentEvent): AgentEvent =>
  event.type === "model_retry" ? { ...event, attempts: Math.max(event.attempts, event.attempt) } : event;

async function work({ number }: RecordedPrompt, host: ReplayHost, run: PromptRun): Promise<void> {
  try {
    await runPrompt(run, { first: 0, messages: [], compaction: undefined });
  } catch (error) {
    if (error instanceof RecordingEndError) return;
    throw error;
  }
  const [first, ...more] = host.unused();
  if (first === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  throw new ReplayError(`prompt ${number}: the loop did not ask for step ${first}${others} of the recording`);
}

/** A run that goes the recorded way: nothing new is begun, since it counts as stopped from its beginning. */
function recordedRun(
  lines: readonly JournalLine[],
  { tools, retries }: PromptReplayOptions,
): Omit<PromptRun, "step" | "emit"> {
  const recorded = new Set(lines.map(({ step }) => step));
  const queued = lines.map(({ step }) => queuedNumber(step)).find((number) => number !== undefined);
  return {
    recorded,
    steering: new RecordedSteering(recorded),
    ...(queued !== undefined && { queued }),
    models: recordedModels(lines),
    retries: Array.from({ length: retries }, () => undefined),
    tools,
    limits: { turns: isStopped(lines) ? turnsIn(recorded) : Number.POSITIVE_INFINITY },
    signal: AbortSignal.abort(),
    ...UNASKED,
  };
}

/** Whether a limit ended the prompt before its next turn. */
const isStopped = (lines: readonly JournalLine[]): boolean =>
  lines.some(
    (line) => line.step === END_STEP && "result" in line && isPromptEnd(line.result) && line.result.outcome === "limit",
  );

const turnsIn = (steps: ReadonlySet<string>): number => new Set([...steps].filter(isModelStep).map(turnOf)).size;

/** What the loop has no use for where every step is looked up. */
const UNASKED = {
  parameters: {},
  gate: openGate,
  session: "replay",
  system: "",
  input: "",
  context: {},
  skills: { keeps: () => false, skillTexts: async () => [] },
  spentBefore: { session: noSpending, day: noSpending },
  now: () => outside("the clock"),
  sleep: async () => outside("a wait"),
  spend: async () => undefined,
  windowOf: async (_model: LanguageModel) => undefined,
  warn: () => {},
} as const;

function outside(what: string): never {
  throw new ReplayError(`a replay asked for ${what}`);
}
