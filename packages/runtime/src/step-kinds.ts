/** What a step is. Those from "queue" to "segment" are steps of a session itself; summaries may be either. */
export type StepKind =
  | "begin"
  | "input"
  | "end"
  | "beforePrompt"
  | "afterPrompt"
  | "model"
  | "retry"
  | "compaction"
  | "compactionRetry"
  | "size"
  | "policy"
  | "permission"
  | "tool"
  | "afterTool"
  | "deliver"
  | "steer"
  | "resume"
  | "queue"
  | "unqueue"
  | "head"
  | "agent"
  | "identity"
  | "sessionCompaction"
  | "segment"
  | "unknown";

/** The name of a step, read. */
export interface ReadStep {
  readonly kind: StepKind;
  /** Its turn, or its number if it is counted; 0 if it has none. */
  readonly number: number;
  /** The attempt of its turn, from 1. */
  readonly attempt: number;
}

const WHOLE_NAMES: ReadonlyMap<string, ReadStep> = new Map(
  Object.entries({
    begin: "begin",
    user: "input",
    end: "end",
    "hook:beforePrompt": "beforePrompt",
    "hook:afterPrompt": "afterPrompt",
    segment: "segment",
  } satisfies Record<string, StepKind>).map(([name, kind]) => [name, { kind, number: 0, attempt: 1 }]),
);

const COUNTED: ReadonlyMap<string, StepKind> = new Map(
  Object.entries({
    user: "input",
    model: "model",
    retry: "retry",
    compact: "compaction",
    "retry:compact": "compactionRetry",
    size: "size",
    policy: "policy",
    "permission:tool": "permission",
    tool: "tool",
    "hook:afterTool": "afterTool",
    deliver: "deliver",
    steer: "steer",
    resume: "resume",
    queue: "queue",
    unqueue: "unqueue",
    head: "head",
    agent: "agent",
  } satisfies Record<string, StepKind>),
);

/** A kind, a turn or number, and an attempt; what may follow tells apart steps of one turn. */
const COUNTED_NAME = /^([a-zA-Z:]+):(\d{1,9})(?:#(\d{1,9}))?(?=[/:]|$)/;

/** Reads the name of a step as step-names.ts writes it. */
export function readStep(name: string): ReadStep {
  const whole = WHOLE_NAMES.get(name);
  if (whole) return whole;
  const [, prefix = "", number, attempt = 1] = COUNTED_NAME.exec(name) ?? [];
  const kind = COUNTED.get(prefix) ?? namedKind(name);
  return { kind, number: Number(number ?? 0), attempt: Number(attempt) };
}

/** The kind of a step that is told apart by something else than a number. */
function namedKind(name: string): StepKind {
  if (name.startsWith("compact:")) return "sessionCompaction";
  return name.startsWith("identity:") ? "identity" : "unknown";
}

/** Whether a step holds what the user said while its prompt ran. */
export const isSteerStep = (name: string): boolean => name.startsWith("steer:");

/** Whether a step is a delivery of that to the model. */
export const isDeliverStep = (name: string): boolean => name.startsWith("deliver:");

/** Whether a later process resumed the prompt here. */
export const isResumeStep = (name: string): boolean => name.startsWith("resume:");

/** Whether a step holds the size of a request. */
export const isSizeStep = (name: string): boolean => name.startsWith("size:");
