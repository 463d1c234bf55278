import type { JsonValue } from "@mdx-ai/base";
import type { TaskLimit } from "@mdx-ai/parser";
import type { DueTask } from "./decide.ts";
import type { RunOutcome } from "./heartbeat-record.ts";

/** One run of one or more tasks. */
export interface Wake {
  /** Unique. Also the id of its prompt. */
  readonly run: string;
  /** Not empty. */
  readonly due: readonly DueTask[];
  /** The session's id; `main` or undefined is the agent's default session. */
  readonly session: string | undefined;
  /** Whether an earlier process began it. */
  readonly isResumed: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The state of the gate. */
  readonly gate: JsonValue;
  /** What is left of the limit of the day. */
  readonly left: TaskLimit | undefined;
}

/** How a run ended. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly usd: number;
  readonly tokens: number;
  readonly reason?: string;
  /** Of the gate, for its next call. */
  readonly state?: JsonValue;
  /** The model's last text. */
  readonly text?: string;
}
