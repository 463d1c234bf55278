import { type AgentDirectory, byFileAndPlace } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { programFolder } from "../places/program-folders.ts";
import { readDirectory } from "../reading/read-directory.ts";
import type { Surroundings } from "../surroundings.ts";
import { checkTypes } from "./check-types.ts";
import { findTypeScript, type TypeScript } from "./compiler/find-typescript.ts";

/** What `check` finds. */
export interface DirectoryCheck {
  /** Including the diagnostics of its types. */
  readonly directory: AgentDirectory;
  /** Whether the directory has code and no TypeScript was found to check it. */
  readonly lacksTypeScript: boolean;
  /** The files of code that were read, absolute. */
  readonly files: readonly string[];
}

/**
 * Reads a directory and checks its types, without running any code. Rejects with `DirectoryError`: "unchecked", or
 * "interrupted" once `signal` fires.
 */
export async function checkDirectory(
  path: string,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<DirectoryCheck> {
  const directory = await readDirectory(path, surroundings);
  if (signal.aborted) throw new DirectoryError("interrupted");
  const { tools, modules } = directory.definition;
  if (tools.length === 0 && modules.length === 0) return { directory, lacksTypeScript: false, files: [] };
  const typescript = shippedTypeScript();
  if (typescript === undefined) return { directory, lacksTypeScript: true, files: [] };
  const { diagnostics, files } = await checkTypes(directory, { typescript, signal });
  const all = [...directory.diagnostics, ...diagnostics].toSorted(byFileAndPlace);
  return { directory: { ...directory, diagnostics: all }, lacksTypeScript: false, files };
}

/**
 * The compiler that is installed beside this program. One of the directory, or of a folder above it, never runs: no hash
 * covers a native program, and whoever writes the folder above need not be whoever the user trusts.
 */
const shippedTypeScript = (): TypeScript | undefined => findTypeScript([programFolder()]);
