import type { Node } from "jsonc-parser";
import { isJsonObject, isRecord } from "../../record.ts";
import { quoted, type Report } from "../../report.ts";
import { didYouMean } from "../../suggestion.ts";
import type { JsonSchema, JsonValue } from "../../types/json.ts";
import type { ExampleExpectation, ToolExample } from "../../types/tool-definition.ts";
import { type JsonMember, jsonMembers, type LocatedJson } from "../located-json.ts";
import { checkArguments } from "./example-arguments.ts";

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
  const expected = expectationOf(members, value, report);
  if (args === undefined || expected === undefined) return undefined;
  const given = value["arguments"];
  if (!isJsonObject(given)) return undefined;
  const fits = checkArguments({ node: args, value: given }, schema, report);
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
function expectationOf(
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
