import { isAmount, isRecord, jsonValue } from "@mdx-ai/base";
import { isNewer, NewerVersionError } from "@mdx-ai/base/disk";
import { isLimitName, type LimitName } from "@mdx-ai/loop";
import type { Usage } from "@mdx-ai/models";

/** The version of the format, in each line. */
const USAGE_VERSION = 1;

/** One line of `state/usage.jsonl`: the tokens and the cost of one model answer. */
export interface UsageLine extends Usage {
  /** When it ended, ISO 8601 in UTC. */
  readonly at: string;
  readonly session: string;
  /** The number of the prompt within the session. */
  readonly prompt: number;
  /** `vendor/name`; for model calls that a tool made itself, `tool/` and the name of the tool. */
  readonly model: string;
  /** The agent that asked, if it works for this one; as `Question.agent`. */
  readonly agent?: string;
  /** The task of heartbeat.md that the prompt was for. */
  readonly task?: string;
  /** US dollars; absent if the price is unknown. */
  readonly usd?: number;
  /** Milliseconds. */
  readonly latency?: number;
}

/** The user has allowed more than a limit of a session, a day or the agent. */
export interface RaiseLine {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly session: string;
  /** That of the session. */
  readonly key: string;
  readonly raised: LimitName;
  readonly by: number;
  /** That of the question, unique within the session: a repeated line counts once. */
  readonly id: string;
}

export type UsageLogLine = UsageLine | RaiseLine;

export const isRaise = (line: UsageLogLine): line is RaiseLine => "raised" in line;

export const lineText = (line: UsageLogLine): string => JSON.stringify({ v: USAGE_VERSION, ...line });

/** Undefined if unreadable. Throws `NewerVersionError`. */
export function parseUsageLine(text: string, path: string): UsageLogLine | undefined {
  const value = jsonValue(text);
  if (isRecord(value) && isNewer(value["v"], USAGE_VERSION)) throw new NewerVersionError(path);
  return isUsageLine(value) || isRaiseLine(value) ? value : undefined;
}

const COUNTS = ["prompt", "input", "output", "cacheRead", "cacheWrite", "thinking", "total"] as const;

const isUsageLine = (value: unknown): value is UsageLine =>
  isLine(value) &&
  typeof value["model"] === "string" &&
  COUNTS.every((name) => Number.isSafeInteger(value[name]) && isAmount(value[name])) &&
  ["usd", "latency"].every((name) => value[name] === undefined || isAmount(value[name])) &&
  ["agent", "task"].every((name) => value[name] === undefined || typeof value[name] === "string");

const isRaiseLine = (value: unknown): value is RaiseLine =>
  isLine(value) &&
  typeof value["key"] === "string" &&
  typeof value["id"] === "string" &&
  isLimitName(value["raised"]) &&
  isAmount(value["by"]);

const isLine = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) &&
  value["v"] === USAGE_VERSION &&
  typeof value["at"] === "string" &&
  !Number.isNaN(Date.parse(value["at"])) &&
  typeof value["session"] === "string";
