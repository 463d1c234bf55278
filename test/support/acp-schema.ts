import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRecord, recordOf } from "@mdx-ai/base";
import Ajv from "ajv/dist/2020";
import type { WireMessage } from "./acp-editor.ts";

const FILE = fileURLToPath(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"));

/** The published schema of the protocol's first version. */
const SCHEMA: unknown = JSON.parse(readFileSync(FILE, "utf8"));

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });
ajv.addSchema(recordOf(SCHEMA), "acp");

/** The definitions of a method: its parameters, and the result of a request. */
function definitionOf(method: string, kind: "params" | "result"): string | undefined {
  const ends = kind === "result" ? ["Response"] : ["Request", "Notification"];
  const found = Object.entries(recordOf(recordOf(SCHEMA)["$defs"])).find(
    ([name, definition]) => recordOf(definition)["x-method"] === method && ends.some((end) => name.endsWith(end)),
  );
  return found?.[0];
}

/** What is wrong with the messages that the agent sent, one line each: envelope, schema, and keys that the schema does not know. */
export function wireProblems(wire: readonly WireMessage[]): readonly string[] {
  const asked = new Map<unknown, string>();
  return wire.flatMap(({ from, message }) => {
    const { id, method } = recordOf(message);
    if (from === "client" && id !== undefined && typeof method === "string") asked.set(id, method);
    return from === "agent" ? messageProblems(recordOf(message), asked) : [];
  });
}

function messageProblems(
  message: Readonly<Record<string, unknown>>,
  asked: ReadonlyMap<unknown, string>,
): readonly string[] {
  const { jsonrpc, id, method, params, result, error } = message;
  const problems = jsonrpc === "2.0" ? [] : ["no JSON-RPC 2.0"];
  if (typeof method === "string") return [...problems, ...valueProblems(method, "params", params)];
  if (error !== undefined) {
    const { code, message: text } = recordOf(error);
    const isConcise = typeof text === "string" && text !== "" && !text.includes("\n");
    return [...problems, ...(Number.isInteger(code) && isConcise && result === undefined ? [] : [`error ${id}`])];
  }
  const request = asked.get(id);
  return request === undefined
    ? [...problems, `a response to nothing: ${id}`]
    : [...problems, ...valueProblems(request, "result", result)];
}

function valueProblems(method: string, kind: "params" | "result", value: unknown): readonly string[] {
  if (method.startsWith("$/") || method.startsWith("_")) return [];
  const name = definitionOf(method, kind);
  if (name === undefined) return [`the protocol has no ${kind} of ${method}`];
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  if (validate === undefined) return [`no schema of ${name}`];
  const wrong = validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
  const known = keysOf({ $ref: `#/$defs/${name}` });
  const unknown = isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
  return [...wrong, ...unknown.map((key) => `${name} has no ${key}`)];
}

/** The keys that a definition and its parts name. */
function keysOf(definition: unknown): readonly string[] {
  const { $ref, properties, allOf, anyOf, oneOf } = recordOf(definition);
  const named =
    typeof $ref === "string" ? recordOf(recordOf(SCHEMA)["$defs"])[$ref.replace("#/$defs/", "")] : undefined;
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...Object.keys(recordOf(properties)),
    ...[named, ...parts].flatMap((part) => (part === undefined ? [] : keysOf(part))),
  ];
}
