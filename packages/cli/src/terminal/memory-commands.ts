import { contentText, plainLine, plainText } from "@mdx-ai/directory/text";
import { grouped } from "@mdx-ai/directory/views/figures";
import type { Agent, UserMemory } from "@mdx-ai/runtime";
import { executeTool } from "@mdx-ai/tools";
import type { DescribedCommand } from "./command-texts.ts";

/** What the memory commands need. */
export interface MemoryContext {
  readonly memory: UserMemory;
  /** Searches remembered conversations; undefined if the agent remembers none. */
  searchMemory(query: string): Promise<string | undefined>;
}

interface MemoryCommand extends DescribedCommand {
  /** Returns the answer. Rejects as the agent does. */
  run(context: MemoryContext, words: string): Promise<string> | string;
}

/** Slash commands for the memory that all sessions share. Each acts only when the user calls it. */
export const memoryCommands: readonly MemoryCommand[] = [
  {
    name: "/remember",
    group: "Memory",
    brief: "keep for all sessions",
    words: "TEXT",
    description: "remembers something for every session of this agent",
    run: ({ memory }, words) => (words === "" ? "Say what to remember: /remember TEXT" : remember(memory, words)),
  },
  {
    name: "/memories",
    group: "Memory",
    brief: "list what is kept",
    description: "lists what is remembered",
    run: ({ memory }) => list(memory),
  },
  {
    name: "/forget",
    group: "Memory",
    brief: "remove a memory",
    words: "ID",
    description: "removes a memory",
    run: ({ memory }, words) => (words === "" ? "Say which to forget: /forget ID" : forget(memory, words)),
  },
  {
    name: "/memory",
    group: "Memory",
    brief: "add to AGENT.md",
    words: "TEXT",
    description:
      "adds a line to AGENT.md, which the model receives; /memory search TEXT searches remembered conversations",
    run: (context, words) =>
      words === "" ? "Say what to add to AGENT.md: /memory TEXT" : noteOrSearch(context, words),
  },
];

async function remember(memory: UserMemory, text: string): Promise<string> {
  const { id, content } = await memory.remember(text);
  return `Remembered as ${id}, from the next prompt on: ${plainLine(content)}`;
}

async function list(memory: UserMemory): Promise<string> {
  const memories = await memory.memories();
  if (memories.length === 0) return "Nothing is remembered; /remember TEXT changes that.";
  return memories
    .map(
      ({ id, timestamp, content }) => `${plainLine(id)}  ${plainLine(timestamp).slice(0, 10)}  ${plainLine(content)}`,
    )
    .join("\n");
}

async function forget(memory: UserMemory, id: string): Promise<string> {
  const forgotten = await memory.forget(id);
  if (forgotten === undefined) return `There is no memory ${plainLine(id)}; /memories lists them.`;
  return `Forgotten: ${plainLine(forgotten.content)}`;
}

/** Without a memory of conversations, `search` is an ordinary word of the note. */
async function noteOrSearch({ memory, searchMemory }: MemoryContext, words: string): Promise<string> {
  const [search, query = ""] = /^search(?:\s+(\S[\s\S]*))?$/.exec(words) ?? [];
  const found = search === undefined ? undefined : await searchMemory(query);
  if (found === undefined) return addNote(memory, words);
  return query === "" ? "Say what to search for: /memory search TEXT" : found;
}

async function addNote(memory: UserMemory, text: string): Promise<string> {
  const { line, size, sent } = await memory.addNote(text);
  const confirmation = `Added to AGENT.md: ${line}`;
  if (size <= sent) return confirmation;
  return `${confirmation}\nThe file has ${grouped(size)} bytes now, of which the model receives the first ${grouped(sent)}.`;
}

/** The searching session, and the folder where its tools work. Absolute. */
export interface SearchPlace {
  readonly session: string;
  readonly folder: string;
}

/** Searches remembered conversations, as the agent's tool does; undefined if the agent remembers none. */
export async function searchMemory(
  query: string,
  agent: Pick<Agent, "session" | "tools">,
  { session: sessionId, folder }: SearchPlace,
): Promise<string | undefined> {
  const tool = agent.tools.find(({ name }) => name === "memory_search");
  if (tool === undefined || agent.session().toolOrigins().get(tool.name) !== "module:memory") return undefined;
  const { signal } = new AbortController();
  const place = { agentDir: folder, cwd: folder, sessionId, callId: "none", signal };
  const { content } = await executeTool(tool, { query }, { ...place, log: async () => {}, update: () => {} });
  return plainText(contentText(content));
}
