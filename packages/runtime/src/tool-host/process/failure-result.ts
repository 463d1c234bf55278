import { isRecord } from "../../record.ts";
import { type BoundedResult, errorResult, errorText, headOf } from "../../tools/tool-result.ts";
import type { AuthorPlaces } from "./author-places.ts";

const STACK_LIMIT = 16_000;
const MESSAGE_LIMIT = 2_000;
const CAUSES = 5;

/** The result for a throw: its message and position for the model, the stack for people in `details`. Never throws. */
export function failureResult(error: unknown, places: AuthorPlaces): BoundedResult {
  try {
    const problems = buildProblems(error, places);
    if (problems.length > 0) return errorResult(problems.join("\n"));
    const place = places.placeOf(error);
    const text = place === undefined ? errorText(error) : `${errorText(error)} (${place})`;
    const stack = headOf(chainedStacks(error, places), STACK_LIMIT);
    return { ...errorResult(text), ...(stack !== "" && { details: { stack } }) };
  } catch {
    // Its stack throws when it is read, or its message does.
    return errorResult(errorText(error));
  }
}

/** Whether the memory of the process is used up: whatever runs in it afterwards could fail anywhere. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Out of memory";
}

/** The stacks of an error and of its causes; empty if the author's code has no part in them. */
function chainedStacks(error: unknown, places: AuthorPlaces): string {
  const stacks: string[] = [];
  for (let cause = error; cause instanceof Error && stacks.length < CAUSES; cause = cause.cause) {
    const frames = places.framesOf(cause);
    if (frames.length > 0)
      stacks.push([`${cause.name}: ${headOf(cause.message, MESSAGE_LIMIT)}`, ...frames].join("\n"));
  }
  return stacks.join("\nCaused by ");
}

/** The messages of the transpiler or of the import resolver, each with its position; empty for any other error. */
function buildProblems(error: unknown, places: AuthorPlaces): readonly string[] {
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

function problemText(problem: BuildProblem, places: AuthorPlaces): string {
  const { specifier } = problem;
  if (problem.name === "ResolveMessage" && typeof specifier === "string") return unresolvedText(specifier, places);
  const place = placeOf(problem.position, places);
  return place === undefined ? problem.message : `${problem.message} (${place})`;
}

function unresolvedText(specifier: string, places: AuthorPlaces): string {
  const place = places.placeOfImport(specifier);
  const text = `cannot find ${JSON.stringify(specifier)}${place === undefined ? "" : ` (${place})`}`;
  if (/^[./]/.test(specifier)) return text;
  return `${text}; nothing is installed by itself: add the package in the agent's directory`;
}

function placeOf(position: unknown, places: AuthorPlaces): string | undefined {
  if (!isRecord(position)) return undefined;
  const { file, line, column } = position;
  if (typeof file !== "string" || typeof line !== "number" || typeof column !== "number") return undefined;
  return places.show({ path: file, line, column });
}
