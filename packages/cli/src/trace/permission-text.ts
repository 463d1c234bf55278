import type { TraceTool } from "@mdx-ai/runtime";

/** What was said about a tool call, for people. */
export const PERMISSION_TEXTS: Readonly<Record<NonNullable<TraceTool["permission"]>, string>> = {
  given: "asked, and allowed",
  refused: "not permitted",
};
