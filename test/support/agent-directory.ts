import { join } from "node:path";
import { MINIMAL_AGENT, writeText } from "./agent-files.ts";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";

/** Files by their path relative to the agent directory. */
export type AgentFiles = Readonly<Record<string, string>>;

/** A new agent directory for one test; without an `agent.mdx` among the files it gets a minimal one. */
export function agentDirectory(files: AgentFiles = {}): TemporaryDirectory {
  const directory = temporaryDirectory();
  const all = { "agent.mdx": MINIMAL_AGENT, ...files };
  for (const [path, text] of Object.entries(all)) writeText(join(directory.path, path), text);
  return directory;
}

/** The text of an inline tool. */
export function toolText(name: string, body: string, attributes = ""): string {
  return `\n<Tool name="${name}" description="Does ${name}"${attributes}>\n  <Param name="text" required="false" />\n\n\`\`\`ts\nasync function execute(params: { text?: string }, ctx: any) {\n${body}\n}\n\`\`\`\n\n</Tool>\n`;
}
