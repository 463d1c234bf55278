import { plainLine } from "@mdx-ai/directory/text";
import type { Agent } from "@mdx-ai/runtime";
import type { ToolOutput } from "./view/tool-output.ts";

interface ToolCommandOptions {
  readonly session: string;
  readonly output: ToolOutput;
}

/** Runs `/tool` with these words and returns the answer. */
export function runToolCommand(
  words: string,
  agent: Pick<Agent, "toolOrigins">,
  { session, output }: ToolCommandOptions,
): string {
  const [what = "", word = ""] = words.split(/\s+/);
  switch (what) {
    case "list":
      return toolsText(agent.toolOrigins(session));
    case "output":
      return output.choose(word);
    default:
      return "/tool list shows the tools and where they come from; /tool output full, short or off says how much of results is shown.";
  }
}

function toolsText(origins: ReturnType<Agent["toolOrigins"]>): string {
  if (origins.size === 0) return "This session has no tools.";
  const width = Math.max(...[...origins.keys()].map((name) => plainLine(name).length));
  return [...origins].map(([name, origin]) => `${plainLine(name).padEnd(width)}  ${plainLine(origin)}`).join("\n");
}
