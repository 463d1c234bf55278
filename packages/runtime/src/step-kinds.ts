/** The kinds of steps that have one name. */
const NAMED = {
  begin: "begin",
  user: "input",
  end: "end",
  "hook:beforePrompt": "beforePrompt",
  "hook:afterPrompt": "afterPrompt",
  segment: "segment",
} as const;

/** The kinds of steps whose name continues with a turn, or with a number. */
const COUNTED = {
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
} as const;

type Values<Type> = Type[keyof Type];

/** What a step is. "sessionCompaction": a summary that the user asked for between prompts. */
export type StepKind = Values<typeof NAMED> | Values<typeof COUNTED> | "identity" | "sessionCompaction" | "unknown";

/** The name of a step, read. */
export interface ReadStep {
  readonly kind: StepKind;
  /** Its turn, or its number if it is counted; 0 if it has none. */
  readonly number: number;
  /** The attempt of its turn, from 1. */
  readonly attempt: number;
}

const named: ReadonlyMap<string, StepKind> = new Map(Object.entries(NAMED));
const counted: ReadonlyMap<string, StepKind> = new Map(Object.entries(COUNTED));

/** A kind, a turn or number, and an attempt; what may follow tells apart steps of one turn. */
const COUNTED_NAME = /^([a-zA-Z:]+):(\d{1,9})(?:#(\d{1,9}))?(?=[/:]|$)/;

/** Reads the name of a step as step-names.ts writes it. */
export function readStep(name: string): ReadStep {
  const [, prefix = "", number, attempt = 1] = COUNTED_NAME.exec(name) ?? [];
  const kind = counted.get(prefix);
  if (kind !== undefined) return { kind, number: Number(number), attempt: Number(attempt) };
  return { kind: named.get(name) ?? prefixedKind(name), number: 0, attempt: 1 };
}

/** The kind of a step whose name continues with something else than a number. */
function prefixedKind(name: string): StepKind {
  if (name.startsWith("compact:")) return "sessionCompaction";
  return name.startsWith("identity:") ? "identity" : "unknown";
}
