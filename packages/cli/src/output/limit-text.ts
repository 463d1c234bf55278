import type { AgentEvent, LimitName } from "@mdx-ai/runtime";
import { counted, dollars, grouped } from "./figures.ts";

/** A limit that ended a prompt. */
export type ReachedLimit = Pick<Extract<AgentEvent, { type: "limit_reached" }>, "limit" | "value">;

/** Which limit ended a prompt, and how to raise it: "stopped at the limit of 50 turns; allow more with …". */
export const limitText = (reached: ReachedLimit): string => `stopped ${placeOf(reached)}; ${remedyOf(reached.limit)}`;

function placeOf({ limit, value }: ReachedLimit): string {
  switch (limit) {
    case "turns":
      return `at the limit of ${counted(value, "turn")}`;
    case "tokens":
      return `at the limit of ${counted(value, "token")}`;
    case "usd":
      return `at the limit of ${dollars(value)}`;
    case "seconds":
      return `at the limit of ${grouped(value)} second${value === 1 ? "" : "s"}`;
    case "repeats":
      return `after ${counted(value, "identical tool call")} with identical results`;
    case "pauses":
      return `after ${counted(value, "pause")} of the model in a row`;
    case "session.tokens":
      return `at the session's limit of ${counted(value, "token")}`;
    case "session.usd":
      return `at the session's limit of ${dollars(value)}`;
    case "day.tokens":
      return `at the day's limit of ${counted(value, "token")}`;
    case "day.usd":
      return `at the day's limit of ${dollars(value)}`;
  }
}

function remedyOf(limit: LimitName): string {
  const setting = `allow more with limits.${limit} in agent.mdx`;
  switch (limit) {
    case "turns":
      return "allow more with --max-turns N, or limits.turns in agent.mdx";
    case "pauses":
      return "ask again to continue";
    case "session.tokens":
    case "session.usd":
      return `${setting}, or use another session with --session NAME`;
    case "day.tokens":
    case "day.usd":
      return `${setting}, or continue tomorrow`;
    default:
      return setting;
  }
}
