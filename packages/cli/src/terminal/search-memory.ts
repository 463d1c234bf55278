import { contentText, plainText } from "@mdx-ai/directory/text";
import { type Agent, executeTool } from "@mdx-ai/runtime";

/** The session that searches, and the folder in which its tools work. Absolute. */
export interface SearchPlace {
  readonly session: string;
  readonly folder: string;
}

/** Searches what an agent remembers of conversations, as its own tool does; undefined if it remembers none. */
export async function searchMemory(
  query: string,
  agent: Pick<Agent, "tools" | "toolOrigins">,
  { session: sessionId, folder }: SearchPlace,
): Promise<string | undefined> {
  const tool = agent.tools.find(({ name }) => name === "memory_search");
  if (tool === undefined || agent.toolOrigins().get(tool.name) !== "module:memory") return undefined;
  const { signal } = new AbortController();
  const place = { agentDir: folder, cwd: folder, sessionId, callId: "none", signal };
  const { content } = await executeTool(tool, { query }, { ...place, log: async () => {}, update: () => {} });
  return plainText(contentText(content));
}
