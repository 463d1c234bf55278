import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

interface NumberRange {
  readonly name: string;
  readonly minimum: number;
  readonly maximum?: number;
  readonly isWhole?: boolean;
}

/** The value of a numeric option; undefined if it is not given. Throws `UsageError`. */
export function numberOption(args: ParsedArguments, range: NumberRange): number | undefined {
  const text = args.values.get(range.name);
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
