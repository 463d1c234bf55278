import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, cacheDirectory, type Environment, isWithin } from "@mdx-ai/base";
import { realPathOrSame, requireOwn } from "@mdx-ai/base/disk";
import {
  type AgentDirectory,
  type Diagnostic,
  type ReadAgentDirectoryOptions,
  readAgentDirectory,
  type Severity,
} from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { FileAgentOptions } from "../importing/file-agent.ts";
import { agentFile, agentFolder, isAgentFile } from "../places.ts";
import type { Surroundings } from "../surroundings.ts";
import { withModelDiagnostics } from "./model-diagnostics.ts";

/** How `check` reads a directory. */
export interface ReadDirectoryOptions extends Pick<ReadAgentDirectoryOptions, "onText"> {
  /** Whether the diagnostics include notes; false by default. */
  readonly isStrict?: boolean;
}

/**
 * Reads an agent directory, or an agent that is a Markdown file, as `check` and every run do, and writes nothing; a text that is
 * read again goes to `onText` again. Rejects with `DirectoryError` ("import") if a file cannot be one.
 */
export async function readDirectory(
  directory: string,
  surroundings: Surroundings,
  { onText, isStrict = false }: ReadDirectoryOptions = {},
): Promise<AgentDirectory> {
  const path = agentFolder(directory, surroundings);
  const realPath = realPathOrSame(path);
  const cacheDirectory = definitionsFolder(realPath, surroundings.environment);
  const options = {
    realPath,
    ...(cacheDirectory !== undefined && { cacheDirectory }),
    ...(onText !== undefined && { onText }),
    ...(surroundings.skillFolders !== undefined && { skillFolders: surroundings.skillFolders }),
    home: surroundings.environment["HOME"],
  };
  const read = (): Promise<AgentDirectory> =>
    isAgentFile(directory, surroundings)
      ? importedDirectory(agentFile(directory, surroundings), { ...options, folder: path })
      : readAgentDirectory(path, options);
  const found = judged(await (surroundings.whileReading?.(read) ?? read()));
  return isStrict ? found : withoutNotes(found);
}

/** The same directory if its models are known. */
function judged(directory: AgentDirectory): AgentDirectory {
  const diagnostics = withModelDiagnostics(directory);
  return diagnostics === directory.diagnostics ? directory : { ...directory, diagnostics };
}

function withoutNotes(directory: AgentDirectory): AgentDirectory {
  const diagnostics = directory.diagnostics.filter(({ severity }) => severity !== "note");
  return diagnostics.length === directory.diagnostics.length ? directory : { ...directory, diagnostics };
}

async function importedDirectory(file: string, options: FileAgentOptions): Promise<AgentDirectory> {
  const { readFileAgent } = await import("../importing/file-agent.ts");
  return readFileAgent(file, options);
}

/** Rules about missing files, which have no position. */
const ABSENCES: readonly string[] = ["directory-missing", "file-missing"];

/**
 * Reads a directory that is to run; its diagnostics are a notice. Rejects with `DirectoryError` ("invalid") if one is an
 * error.
 */
export async function readRunnable(directory: string, surroundings: Surroundings): Promise<AgentDirectory> {
  const read = await readDirectory(directory, surroundings);
  if (read.diagnostics.length === 0) return read;
  const absence = read.diagnostics.find(({ rule }) => ABSENCES.includes(rule));
  if (absence !== undefined) throw new DirectoryError("invalid", absenceText(directory, absence));
  surroundings.onNotice({ type: "diagnostics_found", directory: read });
  const { errors } = countDiagnostics(read.diagnostics);
  if (errors === 0) return read;
  throw new DirectoryError(
    "invalid",
    `${directory} cannot run until ${errors === 1 ? "its error is" : `its ${errors} errors are`} fixed`,
  );
}

const absenceText = (directory: string, { message, hint }: Diagnostic): string =>
  `${directory} is not an agent directory: ${message}${hint === undefined ? "" : `; ${hint}`} (or make one: mdx-ai init DIR)`;

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

export function countDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticCounts {
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  return { errors: count("error"), warnings: count("warning"), notes: count("note") };
}

/**
 * The folder that caches parsed definitions, whose code runs, for an agent directory, given by its real path; undefined if others can write there: tools
 * of the agent, or another user. If others could, and the folder is this user's, it is emptied.
 */
function definitionsFolder(agentDir: string, environment: Environment): string | undefined {
  const cache = cacheDirectory(environment);
  if (cache === undefined || isWithin(agentDir, realPathOrSame(cache))) return undefined;
  const folder = join(cache, "definitions");
  return isOwnFolder(folder) || isRemoved(folder) ? folder : undefined;
}

/** Also if there is none: it is made for this user alone. */
const isOwnFolder = (folder: string): boolean =>
  attempt(() => {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats !== undefined) requireOwn(folder, stats);
    return true;
  }) ?? false;

const isRemoved = (folder: string): boolean =>
  attempt(() => {
    rmSync(folder, { recursive: true });
    return true;
  }) ?? false;
