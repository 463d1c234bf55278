import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDirectory, Diagnostic } from "@mdx-ai/parser";
import { type FindMistakes, mendText } from "./mend-text.ts";
import { writeMended } from "./write-mended.ts";

/** What was changed in a file. */
export interface FileFix {
  /** Relative to the agent directory, separated by "/". */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly mended: readonly Diagnostic[];
}

/**
 * Writes the mends of a directory's mistakes into its files; a file without mends is not touched. Throws
 * `UnfixableFileError`, or what the file system says; what was mended before stays mended.
 */
export async function fixDirectory(directory: AgentDirectory): Promise<readonly FileFix[]> {
  const fixes: FileFix[] = [];
  const mendable = directory.diagnostics.filter(({ fix }) => fix !== undefined);
  for (const file of new Set(mendable.map((diagnostic) => diagnostic.file))) {
    const fix = await fixFile(directory, file);
    if (fix !== undefined) fixes.push(fix);
  }
  return fixes;
}

async function fixFile({ path, definition }: AgentDirectory, file: string): Promise<FileFix | undefined> {
  const findMistakes = await finderFor(file, definition.modules.length > 0);
  const before = readText(join(path, file));
  if (findMistakes === undefined || before === undefined) return undefined;
  const { text: after, mended } = await mendText(before, findMistakes);
  if (after === before) return undefined;
  writeMended({ directory: path, file, before, after });
  return { file, before, after, mended };
}

/** What reads a file of this name; the parser is loaded only here. */
async function finderFor(file: string, hasModules: boolean): Promise<FindMistakes | undefined> {
  const { parseAgentMdx, parseHeartbeat, parseSkill } = await import("@mdx-ai/parser/parse");
  if (file === "agent.mdx") return async (text) => (await parseAgentMdx(text, { file, hasModules })).diagnostics;
  if (file === "heartbeat.md") return async (text) => parseHeartbeat(text, file).diagnostics;
  return file.startsWith("skills/") ? async (text) => parseSkill(text, file).diagnostics : undefined;
}

/** With its byte-order mark; undefined for a file that is not UTF-8, which writing would change beyond its mends. */
function readText(path: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
