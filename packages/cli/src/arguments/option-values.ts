import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { FrontEnd } from "@mdx-ai/directory";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

type Place = Pick<FrontEnd, "currentDirectory">;

/**
 * The value of an option that must not be empty; undefined if not given. `needed` describes the value, such as "a file". Throws
 * `UsageError`.
 */
export function textOption({ values }: ParsedArguments, name: string, needed: string): string | undefined {
  const text = values.get(name);
  if (text === "") throw new UsageError(`--${name} needs ${needed}, but got ""`);
  return text;
}

/** The value of an option with a fixed set of words; undefined if not given. Throws `UsageError`. */
export function wordOption<Word extends string>(
  { values }: ParsedArguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = values.get(name);
  const word = words.find((known) => known === text);
  if (text === undefined || word !== undefined) return word;
  const list = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  throw new UsageError(`--${name} needs ${list}, but got ${JSON.stringify(text)}`);
}

interface NumberRange {
  readonly name: string;
  readonly minimum: number;
  readonly maximum?: number;
  readonly isWhole?: boolean;
}

/** The value of a numeric option; undefined if not given. Throws `UsageError`. */
export function numberOption({ values }: ParsedArguments, range: NumberRange): number | undefined {
  const text = values.get(range.name);
  if (text === undefined) return undefined;
  const value = numberOf(text);
  const isInRange = value >= range.minimum && value <= (range.maximum ?? Number.MAX_SAFE_INTEGER);
  if (isInRange && !(range.isWhole && !Number.isInteger(value))) return value;
  throw new UsageError(`--${range.name} needs ${describe(range)}, but got ${JSON.stringify(text)}`);
}

/** Parses decimal digits; NaN for any other text. */
export const numberOf = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN;

const describe = ({ minimum, maximum, isWhole }: NumberRange): string =>
  `a ${isWhole ? "whole " : ""}number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`;

/** The absolute path of an existing file or folder given as an option. Throws `UsageError`. */
export function existingPath(
  given: string,
  { name, kind }: { readonly name: string; readonly kind: "file" | "folder" },
  { currentDirectory }: Place,
): string {
  const path = resolve(currentDirectory, given);
  const stats = given === "" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (kind === "file" ? stats?.isFile() : stats?.isDirectory()) return path;
  throw new UsageError(`--${name} ${given === "" ? '""' : path} is not a ${kind}`);
}

/** The absolute path of `--data`; undefined if not given. Throws `UsageError`. */
export function dataOption(args: ParsedArguments, { currentDirectory }: Place): string | undefined {
  const given = textOption(args, "data", "a folder");
  return given === undefined ? undefined : resolve(currentDirectory, given);
}
