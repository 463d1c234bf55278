import { rmSync } from "node:fs";
import { installFolder, makeTemporaryFolder } from "@mdx-ai/base/disk";
import { type AgentDefinition, type AgentDirectory, byFileAndPosition, type Diagnostic } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { checkedCode, heartbeatCode, projectFiles } from "./checked-code.ts";
import { findTypeScript, runCompiler, type TypeScript } from "./compiler.ts";
import { layOutProject } from "./lay-out-project.ts";
import { missingSkillFiles } from "./missing-skill-files.ts";
import { moduleMistakes } from "./module-mistakes.ts";
import { readMessages, type TypeCheck } from "./read-messages.ts";

/** The result of `check`. */
export interface DirectoryCheck {
  /** Includes the diagnostics of its types. */
  readonly directory: AgentDirectory;
  /** The texts of files with diagnostics, as they were read, by the diagnostics' `file`. */
  readonly texts: ReadonlyMap<string, string>;
  /** The folder in which to install TypeScript; absent unless the directory has code and no TypeScript was found. */
  readonly lacksTypeScript?: { readonly folder: string };
  /** The files of code that were read, absolute. */
  readonly files: readonly string[];
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Whether the diagnostics include notes. Default false. */
  readonly isStrict?: boolean;
}

/**
 * Reads a directory and checks its types, without running any code. Rejects with `DirectoryError`: "unchecked", or
 * "interrupted" once `signal` fires.
 */
export async function checkDirectory(
  path: string,
  frontEnd: FrontEnd,
  { signal, isStrict = false }: CheckOptions,
): Promise<DirectoryCheck> {
  const texts = new Map<string, string>();
  const onText = (file: string, text: string): unknown => texts.set(file, text);
  const read = await readDirectory(path, frontEnd, { onText, isStrict });
  const missing = missingSkillFiles(read, texts);
  const directory = { ...read, diagnostics: [...read.diagnostics, ...missing].toSorted(byFileAndPosition) };
  if (signal.aborted) throw new DirectoryError("interrupted");
  if (!hasCode(directory.definition)) return { directory, texts, files: [] };
  const typescript = shippedTypeScript();
  const found =
    typescript === undefined ? moduleMistakes(directory) : await checkTypes(directory, { typescript, signal });
  const all = [...directory.diagnostics, ...found.diagnostics].toSorted(byFileAndPosition);
  return {
    directory: { ...directory, diagnostics: all },
    texts: new Map([...found.texts, ...texts]),
    files: found.files,
    ...(typescript === undefined && { lacksTypeScript: { folder: installFolder() } }),
  };
}

/**
 * The compiler that is installed beside this program. A compiler from the directory, or from a folder above it, never runs: no hash
 * covers a native program, and the user need not trust the owner of the folder above.
 */
const shippedTypeScript = (): TypeScript | undefined => findTypeScript([installFolder()]);

const hasCode = (definition: AgentDefinition): boolean => {
  const { tools, modules, program } = definition;
  return tools.length + modules.length + heartbeatCode(definition).length > 0 || program !== undefined;
};

export interface TypeCheckOptions {
  readonly typescript: TypeScript;
  readonly signal: AbortSignal;
  /** The time limit of the compiler, in milliseconds. */
  readonly deadline?: number;
}

/**
 * Checks the types of a directory's tools, modules and prose, and of what they import from it, without running any code. Rejects
 * with `DirectoryError`: "unchecked", or "interrupted" once `signal` fires.
 */
export async function checkTypes(directory: AgentDirectory, options: TypeCheckOptions): Promise<TypeCheck> {
  if (!hasCode(directory.definition)) return { diagnostics: [], files: [], texts: new Map() };
  const code = checkedCode(directory);
  const { typescript } = options;
  const folder = makeTemporaryFolder("mdx-ai-check-");
  try {
    const plan = { folder, agentDir: directory.path, files: projectFiles(code), present: code.modules, typescript };
    const project = layOutProject(plan);
    const output = await runCompiler({ ...options, compiler: typescript.compiler, project });
    const found = readMessages(output, { code, project, folder });
    return { ...found, diagnostics: found.diagnostics.filter((one) => !isReported(one, directory)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether reading the directory has already found a mistake on a line of prose: most likely the same one. */
function isReported({ rule, file, line }: Diagnostic, { diagnostics }: AgentDirectory): boolean {
  return (
    rule === "prose-types" &&
    diagnostics.some((other) => other.file === file && other.line === line && other.rule.startsWith("mdx-"))
  );
}
