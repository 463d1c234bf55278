import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDirectory, Diagnostic } from "@mdx-ai/parser";
import { applyFixes, type FindMistakes } from "./apply-fixes.ts";
import { writeFixedFile } from "./write-fixed-file.ts";

/** What was changed in a file. */
export interface FileFix {
  /** Relative to the agent directory, separated by "/". */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The mistakes whose fixes are in `after`. */
  readonly fixed: readonly Diagnostic[];
}

/**
 * Applies the fixes of a directory's mistakes to its files, one after the other; a file without fixes is not written.
 * Rejects with `DirectoryError` ("unfixable") or a file system error; the files that were given before stay fixed.
 */
export async function* fixDirectory(directory: AgentDirectory): AsyncGenerator<FileFix> {
  const fixable = directory.diagnostics.filter(({ fix }) => fix !== undefined);
  for (const file of new Set(fixable.map((diagnostic) => diagnostic.file))) {
    const fix = await fixFile(directory, file);
    if (fix !== undefined) yield fix;
  }
}

async function fixFile({ path, definition }: AgentDirectory, file: string): Promise<FileFix | undefined> {
  const findMistakes = await finderFor(file, definition.modules.length > 0);
  const before = readText(join(path, file));
  if (findMistakes === undefined || before === undefined) return undefined;
  const { text: after, fixed } = await applyFixes(before, findMistakes);
  if (after === before) return undefined;
  writeFixedFile({ directory: path, file, before, after });
  return { file, before, after, fixed };
}

/** The parser of a file of this name, loaded only here. */
async function finderFor(file: string, hasModules: boolean): Promise<FindMistakes | undefined> {
  const { parseAgentMdx, parseHeartbeat, parseSkill } = await import("@mdx-ai/parser/parse");
  if (file === "agent.mdx") return async (text) => (await parseAgentMdx(text, { file, hasModules })).diagnostics;
  if (file === "heartbeat.md") return async (text) => parseHeartbeat(text, file).diagnostics;
  return file.startsWith("skills/") ? async (text) => parseSkill(text, file).diagnostics : undefined;
}

/** With its byte-order mark; undefined for a file that is not UTF-8, which writing would change beyond its fixes. */
function readText(path: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
