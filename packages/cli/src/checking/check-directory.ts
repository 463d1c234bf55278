import { dirname } from "node:path";
import { type AgentDirectory, byFileAndPlace } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { InterruptedError } from "../failures/interrupted-error.ts";
import { readDirectory } from "../opening/read-directory.ts";
import { realFolder } from "../places/user-directories.ts";
import { isTrusted } from "../trust/ensure-trust.ts";
import { checkTypes } from "./check-types.ts";
import { findTypeScript, type TypeScript } from "./compiler/find-typescript.ts";

/** What `check` finds. */
export interface DirectoryCheck {
  /** With the diagnostics of its types, too. */
  readonly directory: AgentDirectory;
  /** Whether there was no TypeScript for a directory that has code. */
  readonly lacksTypeScript: boolean;
  /** The files of code that were read, absolute. */
  readonly files: readonly string[];
}

/**
 * Reads a directory and checks its types, running nothing of it. Rejects with `TypeCheckError`, or with `InterruptedError`
 * where `signal` fires.
 */
export async function checkDirectory(
  path: string,
  context: CommandContext,
  signal: AbortSignal,
): Promise<DirectoryCheck> {
  const directory = await readDirectory(path, context);
  if (signal.aborted) throw new InterruptedError();
  const { tools, modules } = directory.definition;
  if (tools.length === 0 && modules.length === 0) return { directory, lacksTypeScript: false, files: [] };
  const typescript = await typeScriptFor(directory, context);
  if (typescript === undefined) return { directory, lacksTypeScript: true, files: [] };
  const { diagnostics, files } = await checkTypes(directory, { typescript, signal });
  const all = [...directory.diagnostics, ...diagnostics].toSorted(byFileAndPlace);
  return { directory: { ...directory, diagnostics: all }, lacksTypeScript: false, files };
}

/** That of this program; else the directory's own, which is its code, where it is trusted. */
async function typeScriptFor(directory: AgentDirectory, context: CommandContext): Promise<TypeScript | undefined> {
  const shipped = findTypeScript([dirname(Bun.main), dirname(realFolder(process.execPath))]);
  if (shipped !== undefined || !(await isTrusted(directory, context))) return shipped;
  return findTypeScript([realFolder(directory.path)]);
}
