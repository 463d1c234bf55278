import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentFiles, toolText } from "./agent-directory.ts";
import { MINIMAL_AGENT } from "./agent-files.ts";

/** The files of an agent with a tool that looks at what its `text` names and notes that it did. */
export const lookingAgent: AgentFiles = {
  "agent.mdx":
    MINIMAL_AGENT +
    toolText(
      "look",
      `
  const { appendFileSync } = await import("node:fs");
  appendFileSync(ctx.agentDir + "/looked.txt", params.text + "\\n");
  return params.text + " is calm";`,
    ),
};

/** What the tool has looked at so far, each time, in alphabetical order. */
export function lookedAt(directory: string): string[] {
  const file = join(directory, "looked.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").toSorted() : [];
}
