import type { Usage } from "@mdx-ai/models";
import { isRecord } from "../record.ts";
import { isAmount } from "./spending.ts";

/** One line of `state/usage.jsonl`: the tokens and the cost of one answer of a model. */
export interface UsageLine extends Usage {
  /** When it ended, ISO 8601 in UTC. */
  readonly at: string;
  readonly session: string;
  /** The number of the prompt within the session. */
  readonly prompt: number;
  /** `vendor/name`. */
  readonly model: string;
  /** US dollars; absent if the price is unknown. */
  readonly usd?: number;
  /** Milliseconds. */
  readonly latency?: number;
}

const COUNTS = ["prompt", "input", "output", "cacheRead", "cacheWrite", "thinking"] as const;

/** Whether a value that was parsed from JSON is a line of the usage log. */
export function isUsageLine(value: unknown): value is UsageLine {
  return (
    isRecord(value) &&
    typeof value["at"] === "string" &&
    !Number.isNaN(Date.parse(value["at"])) &&
    typeof value["session"] === "string" &&
    typeof value["model"] === "string" &&
    COUNTS.every((name) => Number.isSafeInteger(value[name]) && isAmount(value[name])) &&
    ["usd", "latency"].every((name) => value[name] === undefined || isAmount(value[name]))
  );
}
