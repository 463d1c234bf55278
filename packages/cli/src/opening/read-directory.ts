import { resolve } from "node:path";
import { type AgentDirectory, type Diagnostic, readAgentDirectory } from "@mdx-ai/parser";
import { readSettled } from "@mdx-ai/runtime/settled";
import type { CommandContext } from "../command-context.ts";
import { InvalidDirectoryError } from "../failures/invalid-directory-error.ts";
import { definitionsFolder } from "../places/definitions-folder.ts";
import { warn } from "../trust/trust-state.ts";
import { countDiagnostics, showDiagnostics } from "./diagnostics-text.ts";

/** Reads an agent directory as `check` and every run do. */
export function readDirectory(directory: string, context: CommandContext): Promise<AgentDirectory> {
  const path = resolve(context.currentDirectory, directory);
  const cacheDirectory = definitionsFolder(path, context.environment);
  const options = cacheDirectory === undefined ? {} : { cacheDirectory };
  const read = (): Promise<AgentDirectory> => readAgentDirectory(path, options);
  return context.interruption.unheard(() =>
    readSettled({ agentDir: path, read, paths: pathsOf, onMoved: warn(context) }),
  );
}

/** The files that were read, of those that may be absent. */
const pathsOf = ({ definition }: AgentDirectory): readonly string[] => [
  ...(definition.heartbeat === undefined ? [] : ["heartbeat.md"]),
  ...definition.modules,
  ...definition.skills.map(({ path }) => path),
  ...definition.tools.flatMap(({ code }) => code.file ?? []),
];

/** Rules about missing files, which have no position. */
const ABSENCES: readonly string[] = ["directory-missing", "file-missing"];

/**
 * Reads a directory that is to run, and shows its diagnostics on standard error.
 * Rejects with `InvalidDirectoryError` if one is an error.
 */
export async function readRunnable(directory: string, context: CommandContext): Promise<AgentDirectory> {
  const read = await readDirectory(directory, context);
  if (read.diagnostics.length === 0) return read;
  const absence = read.diagnostics.find(({ rule }) => ABSENCES.includes(rule));
  if (absence !== undefined) throw new InvalidDirectoryError(absenceText(directory, absence));
  context.stderr.write(showDiagnostics(read, { context, output: context.stderr, isShort: true }));
  const { errors } = countDiagnostics(read.diagnostics);
  if (errors === 0) return read;
  throw new InvalidDirectoryError(
    `${directory} cannot run until ${errors === 1 ? "its error is" : `its ${errors} errors are`} fixed`,
  );
}

const absenceText = (directory: string, { message, hint }: Diagnostic): string =>
  `${directory} is no agent directory: ${message}${hint === undefined ? "" : `; ${hint}`} (or make one: mdx-ai init DIR)`;
