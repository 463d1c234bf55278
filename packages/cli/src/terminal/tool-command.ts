import { plainLine } from "@mdx-ai/directory/text";
import type { Agent } from "@mdx-ai/runtime";
import type { ToolOutput } from "./view/tool-output.ts";

/** Runs `/tool` with these words and returns the answer. */
export function runToolCommand(words: string, agent: Pick<Agent, "toolOrigins">, output: ToolOutput): string {
  const [what = "", word = ""] = words.split(/\s+/);
  switch (what) {
    case "list":
      return toolsText(agent.toolOrigins);
    case "output":
      return output.choose(word);
    default:
      return "/tool list shows the tools and where they come from; /tool output full, short or off says how much of results is shown.";
  }
}

function toolsText(origins: Agent["toolOrigins"]): string {
  if (origins.size === 0) return "This agent has no tools.";
  const width = Math.max(...[...origins.keys()].map((name) => plainLine(name).length));
  return [...origins].map(([name, origin]) => `${plainLine(name).padEnd(width)}  ${plainLine(origin)}`).join("\n");
}
