import { type LocatedJson, readLocatedJson } from "@mdx-ai/base/json";
import type { Code } from "mdast";
import type { Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import { readCode } from "./code-block.ts";

/** Where a block of JSON is, and how mistakes in it are reported. */
export interface JsonBlockReading {
  readonly source: SourceText;
  readonly report: Report;
  /** That of a text that is no JSON. */
  readonly rule: "example-json" | "schema-json";
}

/** Reads the JSON of a code block; undefined, and reported, if it is none. Offsets that `read` reports are those in the JSON. */
export function readJsonBlock<Result>(
  block: Code,
  { source, report, rule }: JsonBlockReading,
  read: (json: LocatedJson, report: Report) => Result,
): Result | undefined {
  const { code, offsetOf } = readCode(block, source);
  const json = readLocatedJson(code.text);
  if (!("message" in json)) return read(json, (problem) => report({ ...problem, offset: offsetOf(problem.offset) }));
  const hint = "JSON needs double quotes around keys and strings, and allows no comments and no trailing commas";
  report({ rule, offset: offsetOf(json.offset), message: json.message, hint });
  return undefined;
}
