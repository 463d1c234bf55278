import { didYouMean, isJsonObject, isRecord, type JsonSchema, type JsonValue } from "@mdx-ai/base";
import { type JsonMember, jsonMembers, type LocatedJson, nodeAt } from "@mdx-ai/base/json";
import type { Node } from "jsonc-parser";
import { fillDefaults } from "../../arguments/fill-defaults.ts";
import { valueAt } from "../../arguments/json-pointer.ts";
import { expectationOf, problemsIfValid, type SchemaProblem } from "../../arguments/schema-problems.ts";
import { quoted, type Report } from "../../report.ts";
import type { ExampleExpectation, ToolExample } from "../../types/tool-definition.ts";

const expectationKeys = ["result", "contains", "error"] as const;
const keys = ["arguments", ...expectationKeys] as const;
const shapeHint = 'write `{"arguments": {…}, "result": …}`, or `"contains"` or `"error"` instead of `"result"`';

/** Reads the call and the expectation that the JSON of an example states; undefined, and reported, if it does not. */
export function readCall(
  { value, node }: LocatedJson,
  schema: JsonSchema,
  report: Report,
): Pick<ToolExample, "arguments" | "expected"> | undefined {
  if (!isRecord(value)) {
    reportShape(node, `unexpected ${node.type}, expected an object with \`arguments\``, report);
    return undefined;
  }
  const members = jsonMembers(node);
  for (const { key, name } of members) if (!keys.some((known) => known === name)) reportUnknown(key, name, report);
  const args = argumentsOf(node, members, report);
  const expected = expectedOf(members, value, report);
  if (args === undefined || expected === undefined) return undefined;
  const given = value["arguments"];
  if (!isJsonObject(given)) return undefined;
  const fits = checkArguments(given, args, schema, report);
  return fits ? { arguments: given, expected } : undefined;
}

function reportUnknown(key: Node, name: string, report: Report): void {
  const message = `unexpected key ${quoted(name)}, expected one of ${keys.join(", ")}`;
  const isUrl = /^(?:\w+\s+)?https?:/i.test(name);
  const hint = isUrl ? "begin the block of answers to `fetch` with ```json fetch" : didYouMean(name, keys, shapeHint);
  report({ rule: "example-shape", offset: key.offset, message, hint });
}

function argumentsOf(node: Node, members: readonly JsonMember[], report: Report): Node | undefined {
  const found = members.find(({ name }) => name === "arguments")?.value;
  if (found === undefined) reportShape(node, "the example has no `arguments`, expected an object", report);
  else if (found.type === "object") return found;
  else reportShape(found, `unexpected ${found.type} as \`arguments\`, expected an object`, report);
  return undefined;
}

/** Exactly one of the three keys, or none: then the call only has to succeed. */
function expectedOf(
  members: readonly JsonMember[],
  value: { readonly [key: string]: JsonValue },
  report: Report,
): ExampleExpectation | undefined {
  const [first, second] = members.filter(({ name }) => expectationKeys.some((key) => key === name));
  if (second !== undefined) {
    const message = `unexpected \`${second.name}\` beside \`${first?.name}\`, expected one of ${expectationKeys.join(", ")}`;
    report({ rule: "example-shape", offset: second.key.offset, message, hint: "write an `<Example>` for each" });
    return undefined;
  }
  if (first === undefined) return { type: "success" };
  const stated = value[first.name];
  if (first.name === "result" && stated !== undefined) return { type: "result", value: stated };
  if (typeof stated === "string" && stated !== "") {
    return { type: first.name === "error" ? "error" : "contains", text: stated };
  }
  reportShape(first.value, `unexpected value of \`${first.name}\`, expected a non-empty string`, report);
  return undefined;
}

function reportShape(node: Node, message: string, report: Report): void {
  report({ rule: "example-shape", offset: node.offset, message, hint: shapeHint });
}

/** Reports every argument that the tool would refuse, at its position. Returns whether all are accepted. */
function checkArguments(value: ToolExample["arguments"], node: Node, schema: JsonSchema, report: Report): boolean {
  const mistakes = withRenamed(
    problemsIfValid(schema, fillDefaults(schema, value)).flatMap((problem) => mistakesOf(problem, schema)),
  );
  for (const { path, ofKey, message, hint } of mistakes) {
    const at = nodeAt(node, path);
    const shown = ofKey ? (at.parent?.children?.[0] ?? at) : at;
    report({ rule: "example-arguments", offset: shown.offset, message, hint });
  }
  return mistakes.length === 0;
}

interface Mistake {
  readonly path: readonly string[];
  /** Whether the key of the member is wrong, not its value. */
  readonly ofKey?: true;
  /** The name of the member that is missing at `path`. */
  readonly missing?: string;
  readonly message: string;
  readonly hint: string;
}

/** One unknown argument where one is missing is one mistake: the parameter was renamed. */
function withRenamed(mistakes: readonly Mistake[]): readonly Mistake[] {
  const [missing, ...others] = mistakes.filter((mistake) => mistake.missing !== undefined);
  const [unknown, ...more] = mistakes.filter(({ ofKey }) => ofKey === true);
  if (missing?.missing === undefined || unknown === undefined || others.length + more.length > 0) return mistakes;
  if (nameOf(missing.path) !== nameOf(unknown.path.slice(0, -1))) return mistakes;
  const hint = `write \`${JSON.stringify(missing.missing)}\`, which is missing`;
  return mistakes.flatMap((mistake) =>
    mistake === missing ? [] : mistake === unknown ? [{ ...unknown, hint }] : [mistake],
  );
}

function mistakesOf(problem: SchemaProblem, schema: JsonSchema): readonly Mistake[] {
  const { keyword, path, expected, found, message } = problem;
  const of = path.length === 0 ? "as the arguments" : `for parameter ${quoted(nameOf(path))}`;
  switch (keyword) {
    case "false":
      return [unknownMistake(path, schema)];
    case "required":
      return missingMistakes(problem);
    case "type": {
      const types = typeWords(expected);
      const seen = `unexpected ${kindOf(found)} ${of}, expected ${types}`;
      return [{ path, message: seen, hint: `write ${types}, or change the tool's parameters` }];
    }
    default: {
      const wanted = expectationOf(problem)?.expected ?? `a value that matches its schema (${message})`;
      const seen = quoted(JSON.stringify(found) ?? "nothing");
      const hint = "write a matching value, or change the tool's parameters";
      return [{ path, message: `unexpected ${seen} ${of}, expected ${wanted}`, hint }];
    }
  }
}

function unknownMistake(path: readonly string[], schema: JsonSchema): Mistake {
  const known = propertyNames(schema, path.slice(0, -1));
  const name = path.at(-1) ?? "";
  const expected = known.length === 0 ? "none: the tool has no parameters" : known.map(quoted).join(", ");
  const hint = didYouMean(name, known, "remove it, or declare it");
  return { path, ofKey: true, message: `unexpected argument ${quoted(nameOf(path))}, expected ${expected}`, hint };
}

function missingMistakes({ expected, found, path }: SchemaProblem): readonly Mistake[] {
  const names: readonly unknown[] = Array.isArray(expected) ? expected : [];
  const missing = names.map(String).filter((name) => isRecord(found) && !Object.hasOwn(found, name));
  return missing.map((name) => ({
    ...{ path, missing: name },
    message: `the required argument ${quoted(nameOf([...path, name]))} is missing`,
    hint: `add \`${JSON.stringify(name)}\`, or make the parameter optional`,
  }));
}

/** The properties of the object at these keys, if the schema states them directly. */
function propertyNames(schema: JsonSchema, keys: readonly string[]): readonly string[] {
  const inner = keys.reduce<unknown>((current, key) => {
    return valueAt(current, ["properties", key]) ?? valueAt(current, ["items"]);
  }, schema);
  const properties = valueAt(inner, ["properties"]);
  return isRecord(properties) ? Object.keys(properties) : [];
}

function nameOf(path: readonly string[]): string {
  return path.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : `${index === 0 ? "" : "."}${key}`)).join("");
}

function typeWords(expected: unknown): string {
  const types = [expected].flat().map(String);
  return types.map((type) => (type === "null" ? type : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
