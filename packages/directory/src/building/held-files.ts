import { type AgentFile, type AgentFiles, sourcePaths } from "@mdx-ai/parser";
import type { AgentArchive } from "./agent-archive.ts";

/** Files that an agent does not use when it runs. */
const UNUSED =
  /^(?:README|LICENSE|CHANGELOG|agent\.lock\.json$|agent\.d\.ts$|package\.json$|tsconfig\.json$|[^/]*\.example$|(?:skills\/)?\.[^/]*$)/i;

/**
 * The files of an agent that needs no disk, for a machine without a folder to write; undefined if it has skills, modules or other files that are
 * read when it runs.
 */
export function heldFiles({ files }: AgentArchive): AgentFiles | undefined {
  const file = (path: string): AgentFile | undefined => {
    const found = files.find((one) => one.path === path);
    return found === undefined || "link" in found ? undefined : { path, text: textOf(found.content) };
  };
  const agent = file("agent.mdx");
  if (agent?.text === undefined) return undefined;
  const heartbeat = file("heartbeat.md");
  const sources = sourcePaths(agent.text).flatMap((path) => file(path) ?? []);
  const held = [agent, ...(heartbeat === undefined ? [] : [heartbeat]), ...sources].map(({ path }) => path);
  if (files.some(({ path }) => !held.includes(path) && !UNUSED.test(path))) return undefined;
  const others = { skills: [], modules: [], folders: [] };
  return { agent, ...(heartbeat !== undefined && { heartbeat }), ...(sources.length > 0 && { sources }), ...others };
}

const textOf = (content: Uint8Array): string => new TextDecoder().decode(content);
