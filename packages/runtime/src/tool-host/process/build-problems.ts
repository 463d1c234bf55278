import { isRecord } from "../../record.ts";
import type { AuthorPlaces } from "./author-places.ts";

/** What the transpiler or the resolver of imports said, line by line with its place; empty for any other error. */
export function buildProblems(error: unknown, places: AuthorPlaces): readonly string[] {
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
