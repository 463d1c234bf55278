import type { Verdict } from "@mdx-ai/parser";
import type { Grade } from "./difference.ts";

const RANK: Readonly<Record<Verdict, number>> = { deny: 0, ask: 1, allow: 2 };

/** What becomes of power where one verdict takes the place of another. */
export function compareVerdicts(before: Verdict, after: Verdict): Grade {
  if (before === after) return "noted";
  return RANK[after] > RANK[before] ? "widened" : "narrowed";
}
