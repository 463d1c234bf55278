import type { AgentEvent } from "@mdx-ai/loop";
import type { AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "./agent-directory.ts";
import { MINIMAL_AGENT } from "./agent-files.ts";
import type { Reply } from "./replies.ts";
import { openScriptAgent } from "./script-agent.ts";

export interface Opened {
  readonly settings?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly tools?: string;
  readonly replies?: readonly Reply[];
  readonly options?: Partial<AgentOptions>;
}

interface Offer {
  readonly names: readonly string[];
  readonly results: readonly string[];
}

/** The names of an agent's tools, and the results of the calls that it makes. */
export async function opened({
  settings = "",
  files = {},
  tools = "",
  replies = [],
  options = {},
}: Opened): Promise<Offer> {
  using directory = agentDirectory({
    "agent.mdx": `---\nname: X\n${settings}\n---\n${MINIMAL_AGENT}${tools}`,
    ...files,
  });
  const agent = await openScriptAgent(directory.path, [...replies, { text: "ok" }], options);
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  return { names: agent.tools.map(({ name }) => name), results: events.flatMap(resultText).toSorted() };
}

const resultText = (event: AgentEvent): readonly string[] =>
  event.type === "tool_execution_end"
    ? event.result.content.map((block) => (block.type === "text" ? block.text : block.mimeType))
    : [];

/** The builtin tools of an agent for code. */
export const coding: readonly string[] = [
  "bash",
  "bash_output",
  "bash_stop",
  "read_file",
  "write_file",
  "edit_file",
  "grep",
  "glob",
  "list_files",
  "web_fetch",
  "todo",
];
