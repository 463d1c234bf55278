import type { PermissionMode } from "@mdx-ai/parser";

/** The modes in the order in which users switch between them. */
export const MODE_ORDER: readonly PermissionMode[] = ["ask", "edits", "plan", "all"];

/** What a mode means, as the end of a sentence. */
export const MODE_MEANINGS: Readonly<Record<PermissionMode, string>> = {
  ask: "asks before writing in the workspace",
  edits: "writes in the workspace without asking",
  plan: "tools only read",
  all: "asks only about access outside the workspace, the agent directory and the sandbox",
};
