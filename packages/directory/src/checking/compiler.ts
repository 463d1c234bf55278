import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "@mdx-ai/base";
import { belongsToUser } from "@mdx-ai/base/disk";
import { DirectoryError } from "../directory-error.ts";
import { isFile } from "../paths.ts";

/** A runnable compiler and the types of Bun. */
export interface TypeScript {
  /** The native program. Absolute. */
  readonly compiler: string;
  /** The folder that contains the folder `bun` of `@types/bun`. Absolute. */
  readonly typesFolder: string;
}

const EXECUTABLE = process.platform === "win32" ? "tsc.exe" : "tsc";

/**
 * The TypeScript that is installed nearest to the first folder that has one. Only version 7 or later, which has a
 * native program, counts, and only together with `@types/bun`.
 */
export function findTypeScript(folders: readonly string[]): TypeScript | undefined {
  for (const folder of folders) {
    const compiler = nearest(folder, compilerIn);
    const typesFolder = nearest(folder, typesIn);
    if (compiler !== undefined && typesFolder !== undefined) return { compiler, typesFolder };
  }
  return undefined;
}

function compilerIn(folder: string): string | undefined {
  const manifest = join(folder, "node_modules/typescript/package.json");
  if (!isOurs(manifest)) return undefined;
  const platform = join(
    "node_modules/@typescript",
    `typescript-${process.platform}-${process.arch}`,
    "lib",
    EXECUTABLE,
  );
  // Some installers link each package to a folder that contains its dependencies, too.
  return nearest(dirname(realpathSync(manifest)), (inner) => {
    const program = join(inner, platform);
    return isOurs(program) ? program : undefined;
  });
}

function typesIn(folder: string): string | undefined {
  const types = join(folder, "node_modules/@types");
  return existsSync(join(types, "bun/package.json")) ? types : undefined;
}

/** The first result for a folder and those above it. */
function nearest(folder: string, find: (folder: string) => string | undefined): string | undefined {
  const found = find(folder);
  if (found !== undefined) return found;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearest(parent, find);
}

/** A folder above may be writable by other users. */
const isOurs = (file: string): boolean => isFile(file) && belongsToUser(file);

/** A limit is needed: some types take forever to check, and a file may be a pipe without a writer. */
const DEADLINE_MILLISECONDS = 60_000;
const MAX_OUTPUT = 32 * 1024 * 1024;

export interface CompilerRun {
  readonly compiler: string;
  /** The folder of tsconfig.json. Absolute. */
  readonly project: string;
  readonly signal: AbortSignal;
  readonly deadline?: number;
}

/**
 * Runs the compiler on a project, with nothing of this program's environment. Rejects with `DirectoryError`: "unchecked" if it gives no
 * answer, "interrupted" once `signal` fires.
 */
export async function runCompiler(run: CompilerRun): Promise<CompilerOutput> {
  if (run.signal.aborted) throw new DirectoryError("interrupted");
  const child = start(run);
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (run.signal.aborted) throw new DirectoryError("interrupted");
  if (child.signalCode !== null)
    throw new DirectoryError("unchecked", `cannot check the types: ${endText(child.signalCode)}`);
  const parsed = parseCompilerOutput(output);
  const [complaint] = parsed.complaints;
  if (child.exitCode === 0 || (parsed.messages.length > 0 && complaint === undefined)) return parsed;
  throw new DirectoryError("unchecked", `cannot check the types: ${complaint ?? errors.trim()}`);
}

/**
 * The compiler ends before its garbage matters, so that it collects none below this limit: that halves the time of a small check. One checker
 * suffices for code of this size; each further one would read the types of the library again.
 */
const COLLECT_LATE = { GOGC: "off", GOMEMLIMIT: "512MiB" };
const CHECKERS = ["--checkers", "1"];

function start({ compiler, project, signal, deadline = DEADLINE_MILLISECONDS }: CompilerRun) {
  try {
    return Bun.spawn([compiler, "-p", project, "--pretty", "false", ...CHECKERS], {
      cwd: project,
      env: COLLECT_LATE,
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      timeout: deadline,
      maxBuffer: MAX_OUTPUT,
      killSignal: "SIGKILL",
      // The terminal's Ctrl+C must not reach it: its exit would be reported as a failure, and `signal` ends it anyway.
      detached: true,
    });
  } catch (cause) {
    throw new DirectoryError("unchecked", `cannot start TypeScript: ${errorMessage(cause)}`, { cause });
  }
}

const endText = (signal: string | number): string => `TypeScript took too long or printed too much (${signal})`;

/** One message of the compiler. */
export interface CompilerMessage {
  /** Relative to the folder in which the compiler ran. */
  readonly file: string;
  /** As the compiler counts: from 1, columns in UTF-16 code units; U+2028 and U+2029 end a line, too. */
  readonly line: number;
  readonly column: number;
  /** Such as 2322. */
  readonly code: number;
  /** The first line, without its full stop. */
  readonly text: string;
  /** The lines with details, from the outer to the inner. */
  readonly details: readonly string[];
}

export interface CompilerOutput {
  readonly messages: readonly CompilerMessage[];
  /** Messages without a position in a file, such as an unknown option. */
  readonly complaints: readonly string[];
  /** The files that were read, absolute. */
  readonly files: readonly string[];
}

const LOCATED = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/;

/** Reads what `tsc --pretty false --listFiles` prints. */
export function parseCompilerOutput(output: string): CompilerOutput {
  const messages: CompilerMessage[] = [];
  const complaints: string[] = [];
  const files: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const message = locatedMessage(line);
    const last = messages.at(-1);
    if (message !== undefined) messages.push(message);
    else if (/^\s/.test(line) && last !== undefined)
      messages[messages.length - 1] = { ...last, details: [...last.details, plain(line)] };
    else if (/^(?:\/|[A-Za-z]:[/\\])/.test(line)) files.push(line);
    else if (line.trim() !== "") complaints.push(line.trim());
  }
  return { messages, complaints, files };
}

function locatedMessage(line: string): CompilerMessage | undefined {
  const [, file, at, column, code, text] = LOCATED.exec(line) ?? [];
  if (file === undefined || text === undefined) return undefined;
  return {
    file,
    line: Number(at),
    column: Number(column),
    code: Number(code),
    text: plain(text).replace(/\.$/, ""),
    details: [],
  };
}

/** Removes the file path that the compiler prints with an imported type. */
const plain = (text: string): string =>
  text
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/\s+/g, " ")
    .trim();
