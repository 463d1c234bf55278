import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, cacheDirectory, type Environment, isWithin, sourceLayout } from "@mdx-ai/base";
import { realPathOrSame, requireOwn } from "@mdx-ai/base/disk";
import { unknownModelHint } from "@mdx-ai/models";
import {
  type AgentDirectory,
  byFileAndPosition,
  type Diagnostic,
  type LocatedModel,
  missingAgent,
  parseAgentFiles,
  quoted,
  type ReadAgentDirectoryOptions,
  readAgentDirectory,
  type Severity,
} from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import type { FileAgentOptions } from "../importing/file-agent.ts";
import { agentFile, agentFolder, isAgentFile } from "../paths.ts";
import { steadily } from "./steady-read.ts";

/** Options for reading a directory. */
export interface ReadDirectoryOptions extends Pick<ReadAgentDirectoryOptions, "onText"> {
  /** Whether the diagnostics include notes. Default false. */
  readonly isStrict?: boolean;
}

/**
 * Reads an agent directory, or an agent that is a Markdown file, as `check` and every run do. Writes nothing, but completes a change by the
 * agent itself that was interrupted. A text that is read again goes to `onText` again. Rejects with `DirectoryError` ("import") if a file is
 * not an agent.
 */
export const readDirectory = (
  directory: string,
  frontEnd: FrontEnd,
  options: ReadDirectoryOptions = {},
): Promise<AgentDirectory> => steadily(directory, frontEnd, () => readNow(directory, frontEnd, options));

async function readNow(directory: string, frontEnd: FrontEnd, options: ReadDirectoryOptions): Promise<AgentDirectory> {
  const read = await readAlone(directory, frontEnd, options);
  if (read.definition.agents === undefined) return read;
  const { withSubagents } = await import("./read-subagents.ts");
  const { skillFolders: _ofUser, ...others } = frontEnd;
  return withSubagents(read, frontEnd, (path) => readAlone(path, others, {}));
}

async function readAlone(
  directory: string,
  frontEnd: FrontEnd,
  { onText, isStrict = false }: ReadDirectoryOptions,
): Promise<AgentDirectory> {
  const { environment, skillFolders, whileReading, heldFiles } = frontEnd;
  const file = isAgentFile(directory, frontEnd) ? agentFile(directory, frontEnd) : undefined;
  const path = agentFolder(directory, frontEnd);
  const realPath = realPathOrSame(path);
  const options = {
    realPath,
    ...definitionCache(realPath, environment),
    ...(onText !== undefined && { onText }),
    ...(skillFolders !== undefined && { skillFolders }),
    home: environment["HOME"],
  };
  const read = (): Promise<AgentDirectory> => {
    if (heldFiles !== undefined) return parseAgentFiles(heldFiles, path, options);
    return file === undefined
      ? readAgentDirectory(path, options)
      : importedDirectory(file, { ...options, folder: path });
  };
  const found = await (whileReading?.(read) ?? read());
  const diagnostics = withModelDiagnostics(isStrict ? found : withoutNotes(found));
  return diagnostics === found.diagnostics ? found : { ...found, diagnostics };
}

function withoutNotes(directory: AgentDirectory): AgentDirectory {
  const diagnostics = directory.diagnostics.filter(({ severity }) => severity !== "note");
  return diagnostics.length === directory.diagnostics.length ? directory : { ...directory, diagnostics };
}

async function importedDirectory(file: string, options: FileAgentOptions): Promise<AgentDirectory> {
  const { readFileAgent } = await import("../importing/file-agent.ts");
  return readFileAgent(file, options);
}

/** Rules about missing files, whose diagnostics have no position. */
const ABSENCES: readonly string[] = ["directory-missing", "file-missing"];

/**
 * Reads a directory for a run and reports its diagnostics as a notice. Rejects with `DirectoryError` ("invalid") if one is an
 * error.
 */
export async function readRunnable(directory: string, frontEnd: FrontEnd): Promise<AgentDirectory> {
  const read = await readDirectory(directory, frontEnd);
  if (read.diagnostics.length === 0) return read;
  const absence = read.diagnostics.find(({ rule }) => ABSENCES.includes(rule));
  if (absence !== undefined) throw new DirectoryError("invalid", absenceText(directory, absence));
  frontEnd.onNotice({ type: "diagnostics_found", directory: read });
  const { errors } = countDiagnostics(read.diagnostics);
  if (errors === 0) return read;
  throw new DirectoryError(
    "invalid",
    `${directory} cannot run until ${errors === 1 ? "its error is" : `its ${errors} errors are`} fixed`,
  );
}

/** Throws `DirectoryError` ("invalid") for a folder without agent.mdx. Reads nothing else. */
export function requireAgent(directory: string): void {
  if (existsSync(sourceLayout(directory).definition)) return;
  throw new DirectoryError("invalid", absenceText(directory, missingAgent(directory)));
}

const absenceText = (directory: string, { message, hint }: Pick<Diagnostic, "message" | "hint">): string =>
  `${directory} is not an agent directory: ${message}${hint === undefined ? "" : `; ${hint}`}${hint?.includes("mdx-ai init") ? "" : " (or make one: mdx-ai init DIR)"}`;

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

export function countDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticCounts {
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  return { errors: count("error"), warnings: count("warning"), notes: count("note") };
}

/** Where parsed definitions are cached; nowhere within this folder, where tools could write to them. */
export function definitionCache(folder: string, environment: Environment): { readonly cacheDirectory?: string } {
  const cache = cacheDirectory(environment);
  if (cache === undefined || isWithin(folder, realPathOrSame(cache))) return {};
  const definitions = definitionsFolder(cache);
  return definitions === undefined ? {} : { cacheDirectory: definitions };
}

/**
 * The folder that caches parsed definitions, whose code runs; undefined if another user can write there. If others could, but the folder is
 * this user's, empties it.
 */
function definitionsFolder(cache: string): string | undefined {
  const folder = join(cache, "definitions");
  return isPrivateFolder(folder) || isRemoved(folder) ? folder : undefined;
}

/** Creates the folder for this user only, if it is missing. */
const isPrivateFolder = (folder: string): boolean =>
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

/** The diagnostics of a directory, including those about unknown models. */
export function withModelDiagnostics({
  source: file = "agent.mdx",
  models,
  diagnostics,
}: Pick<AgentDirectory, "source" | "models" | "diagnostics">): readonly Diagnostic[] {
  const unknown = models.flatMap((model) => {
    const hint = unknownModelHint(model.name);
    return hint === undefined ? [] : [{ file, ...model, hint }];
  });
  if (unknown.length === 0) return diagnostics;
  const keys = unknown.filter(({ setting }) => setting === "key");
  const kept = diagnostics.map((one) => (keys.some((key) => isAt(one, key)) ? withoutFix(one) : one));
  const found = unknown.filter(({ setting }) => setting !== "key").map(modelDiagnostic);
  return [...kept, ...found].toSorted(byFileAndPosition);
}

interface UnknownModel extends LocatedModel {
  readonly file: string;
  readonly hint: string;
}

const isAt = ({ file, line, column }: Diagnostic, model: UnknownModel): boolean =>
  file === model.file && line === model.line && column === model.column;

/** A key is renamed to `model` only if its value is a model. */
const withoutFix = ({ fix: _fix, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;

const modelDiagnostic = ({ name, setting, file, line, column, hint }: UnknownModel): Diagnostic => ({
  ...{ file, line, column, severity: "error" },
  rule: setting === "@model" ? "heartbeat-directive" : "setting-type",
  message: `unexpected ${quoted(name)} as \`${setting}\`, expected a model of a known vendor`,
  hint,
});
