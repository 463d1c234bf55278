/** What a step of a turn is. */
export type StepKind =
  | "model"
  | "retry"
  | "compaction"
  | "compactionRetry"
  | "permission"
  | "policy"
  | "size"
  | "hook"
  | "tool";

/** Where a step of a prompt belongs. */
export interface StepPlace {
  readonly kind: StepKind;
  /** From 1. */
  readonly turn: number;
}

const NAME =
  /^(model|retry|compact|retry:compact|permission:tool|policy|size|hook:afterTool|tool):(\d{1,9})(?=[#/:]|$)/;

const KINDS: Readonly<Record<string, StepKind>> = {
  model: "model",
  retry: "retry",
  compact: "compaction",
  "retry:compact": "compactionRetry",
  "permission:tool": "permission",
  policy: "policy",
  size: "size",
  "hook:afterTool": "hook",
  tool: "tool",
};

/** Reads the name of a step as step-names.ts writes it; undefined for one that belongs to no turn. */
export function stepPlace(step: string): StepPlace | undefined {
  const [, name = "", turn] = NAME.exec(step) ?? [];
  const kind = KINDS[name];
  return kind === undefined ? undefined : { kind, turn: Number(turn) };
}
