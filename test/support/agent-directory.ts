import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";

/** Files by their path relative to the agent directory. */
export type AgentFiles = Readonly<Record<string, string>>;

export const MINIMAL_AGENT = "# Agent: Test\n\n## Purpose\n\nTests.\n";

/** A new agent directory for one test; without an `agent.mdx` among the files it gets a minimal one. */
export function agentDirectory(files: AgentFiles = {}): TemporaryDirectory {
  const directory = temporaryDirectory();
  for (const [path, text] of Object.entries({ "agent.mdx": MINIMAL_AGENT, ...files })) {
    const place = join(directory.path, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return directory;
}

/** The text of an inline tool. */
export function toolText(name: string, body: string, attributes = ""): string {
  return `\n<Tool name="${name}" description="Does ${name}"${attributes}>\n  <Param name="text" required="false" />\n\n\`\`\`ts\nasync function execute(params: { text?: string }, ctx: any) {\n${body}\n}\n\`\`\`\n\n</Tool>\n`;
}
