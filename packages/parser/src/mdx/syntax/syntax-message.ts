import { isRecord } from "../../record.ts";
import type { Problem } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";

/** What the parser says of the first syntax error. */
export interface SyntaxMessage {
  readonly reason: string;
  /** The parser's own name of the kind of error. */
  readonly kind: string;
  /** The part of the parser that found it. */
  readonly source: string;
  /** Where it says the error is; absent where it only knows that the text ended. */
  readonly offset?: number;
  /** Where the error is one of JavaScript: what is wrong with it. */
  readonly cause?: string;
}

/** A syntax error as an author is told of it. */
export interface SyntaxProblem {
  readonly problem: Problem;
  /** What is done in memory so that the next error can be found; the problem's fix where it has one. */
  readonly mend?: TextEdit;
  /** The tag, or `export`, that the mend takes from the document: what follows from that alone is not reported. */
  readonly lost?: string;
  /** The name of the closing tag that closes nothing, where that is the error. */
  readonly closes?: string;
}

/** Narrows what the parser threw; undefined where it is no syntax error. */
export function syntaxMessageOf(error: unknown): SyntaxMessage | undefined {
  if (!isRecord(error) || typeof error["reason"] !== "string") return undefined;
  const offset = offsetOfPlace(error["place"]);
  const cause = isRecord(error["cause"]) ? error["cause"]["message"] : undefined;
  return {
    reason: error["reason"],
    kind: typeof error["ruleId"] === "string" ? error["ruleId"] : "",
    source: typeof error["source"] === "string" ? error["source"] : "",
    ...(offset === undefined ? {} : { offset }),
    ...(typeof cause === "string" ? { cause: cause.replace(/\s*\(\d+:\d+\)$/, "") } : {}),
  };
}

function offsetOfPlace(place: unknown): number | undefined {
  if (!isRecord(place)) return undefined;
  const point = isRecord(place["start"]) ? place["start"] : place;
  return typeof point["offset"] === "number" ? point["offset"] : undefined;
}
