import { isRecord, type UnknownRecord } from "@mdx-ai/base";
import { readLocatedJson } from "@mdx-ai/base/json";
import { type Problem, type Schema, validate } from "@mdx-ai/base/schema";
import { type LintRule, lintRules } from "./lint-rules.ts";
import { type LintedFile, MAX_FINDINGS, pointAt } from "./linted-file.ts";
import { meantWord } from "./spelling.ts";

/** How a file of JSON is checked. */
export interface JsonLint {
  readonly schema: Schema;
  /** The rule of what the schema finds and that has no rule of its own. */
  readonly rule: LintRule;
  readonly hasComments?: boolean;
}

/** Reports the mistakes of a file of JSON; returns its value if it is an object. */
export function lintJson(file: LintedFile, { schema, rule, hasComments = false }: JsonLint): UnknownRecord | undefined {
  const { text, report } = file;
  if (text.trim() === "") return undefined;
  const json = readLocatedJson(text, { hasComments });
  if (!("value" in json)) {
    const hint = hasComments
      ? "correct the JSON"
      : "correct the JSON, which has no comments and no commas at the end of lists";
    report("json-syntax", { at: pointAt(text, json.offset), message: json.message, hint });
    return undefined;
  }
  for (const problem of validate(schema, json, { noun: "key", hasIndexes: true }).problems.slice(0, MAX_FINDINGS)) {
    report(ruleOf(problem, rule), {
      at: pointAt(text, problem.range.start),
      message: problem.message,
      hint: problem.hint || `write ${problem.schema?.title ?? "another value"}`,
    });
  }
  return isRecord(json.value) ? json.value : undefined;
}

const ruleOf = ({ rule }: Problem, usual: LintRule): LintRule => {
  const found = Object.keys(lintRules).find((name): name is LintRule => name === rule);
  return found ?? usual;
};

/** Checks the keys of a map: one that is near to a known one is misspelt, and any other may be new. */
export const misspeltKeys =
  (known: readonly string[]): NonNullable<Schema["checkKey"]> =>
  (key) => {
    const meant = meantWord(key, known);
    if (meant === undefined) return undefined;
    return {
      rule: "key-misspelt",
      message: `unexpected key \`${key}\`, expected \`${meant}\``,
      hint: `write \`${meant}\``,
    };
  };

/** Any value of a key that is not known, whose name is still checked. */
export const ANY: Schema = {};

/** A map in which other keys than those of `properties` may be new. */
export const openMap = (
  title: string,
  properties: Readonly<Record<string, Schema>>,
  others: readonly string[] = [],
): Schema => ({
  title,
  type: "object",
  properties,
  additionalProperties: ANY,
  checkKey: misspeltKeys([...Object.keys(properties), ...others]),
});

/** A value of a type. */
export const text = (title = "a text"): Schema => ({ title, type: "string" });
export const texts = (title = "a list of texts"): Schema => ({ title, type: "array", items: text() });
export const truth: Schema = { title: "`true` or `false`", type: "boolean" };
