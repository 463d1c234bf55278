import { basename, relative } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { isCompiled, programFolder } from "@mdx-ai/base/disk";
import { type BoundedResult, errorResult, headOf } from "@mdx-ai/loop";
import type { SourcePoint } from "@mdx-ai/parser";
import { errorText } from "../../error-text.ts";
import type { AgentFile } from "../host-messages.ts";

const STACK_LIMIT = 16_000;
const MESSAGE_LIMIT = 2_000;
const CAUSES = 5;

/** The result for a throw: its message and position for the model, the stack for people in `details`. Never throws. */
export function failureResult(error: unknown, places: AuthorPaths): BoundedResult {
  try {
    const problems = buildProblems(error, places);
    if (problems.length > 0) return errorResult(problems.join("\n"));
    const place = places.placeOf(error);
    const text = place === undefined ? errorText(error) : `${errorText(error)} (${place})`;
    const stack = headOf(chainedStacks(error, places), STACK_LIMIT);
    return { ...errorResult(text), ...(stack !== "" && { details: { stack } }) };
  } catch {
    // Reading its stack or message throws.
    return errorResult(errorText(error));
  }
}

/** Whether the process is out of memory: any later code in it could fail anywhere. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Out of memory";
}

/** The stacks of an error and its causes; empty if they contain none of the author's code. */
function chainedStacks(error: unknown, places: AuthorPaths): string {
  const stacks: string[] = [];
  for (let cause = error; cause instanceof Error && stacks.length < CAUSES; cause = cause.cause) {
    const frames = places.framesOf(cause);
    if (frames.length > 0)
      stacks.push([`${cause.name}: ${headOf(cause.message, MESSAGE_LIMIT)}`, ...frames].join("\n"));
  }
  return stacks.join("\nCaused by ");
}

/** The messages of the transpiler or of the import resolver, each with its position; empty for any other error. */
function buildProblems(error: unknown, places: AuthorPaths): readonly string[] {
  const problems = error instanceof AggregateError ? error.errors : [error];
  return problems.every(isBuildProblem) ? problems.map((problem) => problemText(problem, places)) : [];
}

interface BuildProblem {
  readonly name: string;
  readonly message: string;
  readonly position?: unknown;
  readonly specifier?: unknown;
}

function isBuildProblem(error: unknown): error is BuildProblem {
  return isRecord(error) && (error["name"] === "BuildMessage" || error["name"] === "ResolveMessage");
}

function problemText(problem: BuildProblem, places: AuthorPaths): string {
  const { specifier } = problem;
  if (problem.name === "ResolveMessage" && typeof specifier === "string") return unresolvedText(specifier, places);
  const place = placeOf(problem.position, places);
  return place === undefined ? problem.message : `${problem.message} (${place})`;
}

function unresolvedText(specifier: string, places: AuthorPaths): string {
  const place = places.placeOfImport(specifier);
  const text = `cannot find ${JSON.stringify(specifier)}${place === undefined ? "" : ` (${place})`}`;
  if (/^[./]/.test(specifier)) return text;
  return `${text}; packages are not installed automatically: add the package in the agent's directory`;
}

function placeOf(position: unknown, places: AuthorPaths): string | undefined {
  if (!isRecord(position)) return undefined;
  const { file, line, column } = position;
  if (typeof file !== "string" || typeof line !== "number" || typeof column !== "number") return undefined;
  return places.show({ path: file, line, column });
}

/** The code that an author wrote. */
export interface AuthorSource {
  readonly file: AgentFile;
  /** The code that runs in place of the file, and the number of its first line there. */
  readonly text: string;
  readonly firstLine: number;
  /** Maps a position in that code to the file; undefined if unknown. */
  readonly locate: (point: SourcePoint) => SourcePoint | undefined;
}

interface Place extends SourcePoint {
  readonly path: string;
}

/** A line of a stack with a position; built-in functions have none. */
const FRAME = /^\s+at .*:\d+:\d+\)?$/;
const FRAME_PLACE = /((?:file:\/\/)?\/.*?):(\d+):(\d+)\)?$/;
/** The path prefix of mdx-ai's files. */
const OWN_FOLDER = isCompiled ? "/$bunfs/" : `${programFolder}/`;

/** Finds the position of an error in the author's files. */
export class AuthorPaths {
  readonly #source: AuthorSource;

  constructor(source: AuthorSource) {
    this.#source = source;
  }

  /** Such as `agent.mdx:56:26`, or `helper.ts:3:9, called at agent.mdx:56:26`; undefined if the stack names no such position. */
  placeOf(error: unknown): string | undefined {
    const places = framesOf(error).flatMap((frame) => this.#placeIn(frame) ?? []);
    const inFile = places.find((place) => place.path === this.#source.file.path);
    const first = places.find((place) => this.#isAuthors(place));
    if (!first || first === inFile) return inFile && this.#shown(inFile);
    return inFile ? `${this.#shown(first)}, called at ${this.#shown(inFile)}` : this.#shown(first);
  }

  /** The frames of a stack, line by line: paths relative to the agent directory, without frames of mdx-ai. */
  framesOf(error: Error): readonly string[] {
    return framesOf(error).map((frame) => {
      const place = this.#placeIn(frame);
      const shown = place ? this.#shown(place) : basename(this.#source.file.path);
      return frame.replace(FRAME_PLACE, (match) => `${shown}${match.endsWith(")") ? ")" : ""}`);
    });
  }

  /** The position at which the code imports a module. */
  placeOfImport(specifier: string): string | undefined {
    const { file, text, firstLine } = this.#source;
    const quotes = [`"${specifier}"`, `'${specifier}'`]
      .map((quoted) => text.indexOf(quoted))
      .filter((index) => index >= 0);
    if (quotes.length === 0) return undefined;
    const before = text.slice(0, Math.min(...quotes)).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    return this.show({ path: file.path, line: firstLine + before.length - 1, column });
  }

  /** A position in the executed code as text for people; undefined if it is not in the author's file. */
  show({ path, line, column }: Place): string | undefined {
    const place = this.#located({ path, line, column });
    return place && this.#shown(place);
  }

  #shown({ path, line, column }: Place): string {
    const inside = relative(this.#source.file.agentDir, path);
    return `${inside.startsWith("..") ? path : inside}:${line}:${column}`;
  }

  #placeIn(frame: string): Place | undefined {
    const [, path, line, column] = FRAME_PLACE.exec(frame) ?? [];
    if (path === undefined) return undefined;
    return this.#located({ path: path.replace(/^file:\/\//, ""), line: Number(line), column: Number(column) });
  }

  #located(place: Place): Place | undefined {
    if (place.path !== this.#source.file.path) return place;
    const point = this.#source.locate(place);
    return point && { path: place.path, ...point };
  }

  #isAuthors({ path }: Place): boolean {
    const { agentDir } = this.#source.file;
    return path.startsWith(`${agentDir}/`) && !path.startsWith(`${agentDir}/node_modules/`);
  }
}

/** The author's frames of a stack: from the throw, or from the call into mdx-ai, up to the call by mdx-ai. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== "string") return [];
  const frames = error.stack.split("\n").filter((line) => FRAME.test(line));
  const start = frames.findIndex((frame) => !isOwn(frame));
  if (start === -1) return [];
  const end = frames.findIndex((frame, index) => index > start && isOwn(frame));
  return frames.slice(start, end === -1 ? undefined : end);
}

function isOwn(frame: string): boolean {
  return frame.includes(OWN_FOLDER);
}
