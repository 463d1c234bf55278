import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { FrontEnd } from "@mdx-ai/directory";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

type Place = Pick<FrontEnd, "currentDirectory">;

/** The value of an option that must not be empty; undefined if it is not given. `needed` is such as "a file". Throws `UsageError`. */
export function textOption({ values }: ParsedArguments, name: string, needed: string): string | undefined {
  const text = values.get(name);
  if (text === "") throw new UsageError(`--${name} needs ${needed}, and got ""`);
  return text;
}

/** The value of an option that takes one of a few words; undefined if it is not given. Throws `UsageError`. */
export function wordOption<Word extends string>(
  { values }: ParsedArguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = values.get(name);
  const word = words.find((known) => known === text);
  if (text === undefined || word !== undefined) return word;
  const list = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  throw new UsageError(`--${name} needs ${list}, and got ${JSON.stringify(text)}`);
}

interface NumberRange {
  readonly name: string;
  readonly minimum: number;
  readonly maximum?: number;
  readonly isWhole?: boolean;
}

/** The value of a numeric option; undefined if it is not given. Throws `UsageError`. */
export function numberOption({ values }: ParsedArguments, range: NumberRange): number | undefined {
  const text = values.get(range.name);
  if (text === undefined) return undefined;
  const value = numberOf(text);
  const isInRange = value >= range.minimum && value <= (range.maximum ?? Number.MAX_SAFE_INTEGER);
  if (isInRange && !(range.isWhole && !Number.isInteger(value))) return value;
  throw new UsageError(`--${range.name} needs ${describe(range)}, and got ${JSON.stringify(text)}`);
}

/** The number that a text holds in digits; NaN if it holds none. */
export const numberOf = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN;

const describe = ({ minimum, maximum, isWhole }: NumberRange): string =>
  `a ${isWhole ? "whole " : ""}number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`;

/** A file or folder that exists, as the value of an option; absolute. Throws `UsageError`. */
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

/** `--data`, absolute; undefined if it is not given. Throws `UsageError`. */
export function dataOption(args: ParsedArguments, { currentDirectory }: Place): string | undefined {
  const given = textOption(args, "data", "a folder");
  return given === undefined ? undefined : resolve(currentDirectory, given);
}
