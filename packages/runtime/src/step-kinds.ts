const NAMED = {
  begin: "begin",
  end: "end",
  "hook:beforePrompt": "beforePrompt",
  "hook:afterPrompt": "afterPrompt",
  segment: "segment",
  owner: "owner",
} as const;

/** The kinds of steps whose name continues with a turn, or with a number. */
const COUNTED = {
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
  file: "file",
  queue: "queue",
  unqueue: "unqueue",
  head: "head",
  undo: "undo",
  agent: "agent",
} as const;

type Values<Type> = Type[keyof Type];

/** The kind of a step. "sessionCompaction": a summary that the user asked for between prompts. */
export type StepKind =
  | Values<typeof NAMED>
  | Values<typeof COUNTED>
  | "identity"
  | "repository"
  | "sessionCompaction"
  | "unknown";

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

/** A kind, a turn or number, and an attempt; a suffix distinguishes steps of one turn. */
const COUNTED_NAME = /^([a-zA-Z:]+):(\d{1,9})(?:#(\d{1,9}))?(?=[/:]|$)/;

/** Reads the name of a step as step-names.ts writes it. */
export function readStep(name: string): ReadStep {
  const kind = named.get(name);
  if (kind !== undefined) return { kind, number: 0, attempt: 1 };
  const found = COUNTED_NAME.exec(name);
  const countedKind = found?.[1] === undefined ? undefined : counted.get(found[1]);
  if (countedKind === undefined) return { kind: prefixedKind(name), number: 0, attempt: 1 };
  return { kind: countedKind, number: Number(found?.[2]), attempt: Number(found?.[3] ?? 1) };
}

/** The kind of a step whose name continues with something else than a number. */
function prefixedKind(name: string): StepKind {
  if (name.startsWith("compact:")) return "sessionCompaction";
  if (name.startsWith("repository:")) return "repository";
  return name.startsWith("identity:") ? "identity" : "unknown";
}
