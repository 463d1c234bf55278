import { defined, isRecord } from "@mdx-ai/base";
import type { Problem } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";

/** The first syntax error, as the parser reports it. */
export interface SyntaxMessage {
  readonly reason: string;
  /** The parser's own name of the kind of error. */
  readonly kind: string;
  /** The part of the parser that found it. */
  readonly source: string;
  /** The reported position; absent if the parser only knows that the text ended. */
  readonly offset?: number;
  /** The `{` or `<` that was read as the start of an expression or a tag, for an error within one. */
  readonly opening?: number;
  /** The reason, if it is an error of JavaScript. */
  readonly cause?: string;
}

/** A syntax error in the author's words. */
export interface SyntaxProblem extends Problem {
  /** The edit in memory after which the next error can be found, if it is not the fix. */
  readonly repair?: TextEdit;
  /** The tag, or `export`, that the repair removes: errors that follow from that alone are not reported. */
  readonly lost?: string;
  /** The name of the closing tag that closes nothing, if that is the error. */
  readonly closes?: string;
}

/** Narrows what the parser threw; undefined if it is no syntax error. */
export function syntaxMessageOf(error: unknown, opening?: number): SyntaxMessage | undefined {
  if (!isRecord(error) || typeof error["reason"] !== "string") return undefined;
  const offset = offsetOf(error["place"]);
  const cause = isRecord(error["cause"]) ? error["cause"]["message"] : undefined;
  return {
    reason: error["reason"],
    kind: typeof error["ruleId"] === "string" ? error["ruleId"] : "",
    source: typeof error["source"] === "string" ? error["source"] : "",
    ...defined({ offset, opening }),
    ...(typeof cause === "string" ? { cause: cause.replace(/\s*\(\d+:\d+\)$/, "") } : {}),
  };
}

function offsetOf(place: unknown): number | undefined {
  if (!isRecord(place)) return undefined;
  const point = isRecord(place["start"]) ? place["start"] : place;
  return typeof point["offset"] === "number" ? point["offset"] : undefined;
}
