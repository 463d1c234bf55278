import type { AgentTool } from "../types/tool.ts";
import { kindOf } from "./kind-of.ts";

/** An element of what `tools()` gave is no tool that a model can be offered. */
class ModuleToolError extends Error {
  override readonly name = "ModuleToolError";
}

/**
 * An element of what `tools()` gave, as a plain object, so that a change of it later does not change what a model is told.
 * Throws `ModuleToolError`, which says what is wrong, or what a getter throws.
 */
export function moduleTool(value: unknown): AgentTool {
  if (isAgentTool(value)) {
    const { name, description, parameters, readOnly, idempotent, permission } = value;
    const said = {
      ...(readOnly !== undefined && { readOnly }),
      ...(idempotent !== undefined && { idempotent }),
      ...(permission !== undefined && { permission }),
    };
    return { name, description, parameters, ...said, execute: (args, context) => value.execute(args, context) };
  }
  throw new ModuleToolError(mistake(value) ?? "");
}

function isAgentTool(value: unknown): value is AgentTool {
  return mistake(value) === undefined;
}

function mistake(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return `unexpected ${kindOf(value)}, expected a tool`;
  const [name, description, parameters, execute] = members(value, ["name", "description", "parameters", "execute"]);
  if (typeof name !== "string" || name.trim() === "") return `unexpected name (${kindOf(name)}), expected a text`;
  if (typeof description !== "string") return `unexpected description (${kindOf(description)}), expected a text`;
  if (typeof execute !== "function") return `unexpected execute (${kindOf(execute)}), expected a function`;
  return wordMistake(value) ?? schemaMistake(parameters);
}

/** What is wrong with what a tool says of its calls beside what it does. */
function wordMistake(tool: object): string | undefined {
  for (const name of ["readOnly", "idempotent"] as const) {
    const [said] = members(tool, [name]);
    if (said !== undefined && typeof said !== "boolean")
      return `unexpected ${name} (${kindOf(said)}), expected true or false`;
  }
  const [permission] = members(tool, ["permission"]);
  if (permission === undefined || VERDICTS.includes(permission)) return undefined;
  return `unexpected permission (${kindOf(permission)}), expected "allow", "ask" or "deny"`;
}

const VERDICTS: readonly unknown[] = ["allow", "ask", "deny"];

function members(value: object, names: readonly string[]): unknown[] {
  return names.map((member) => Reflect.get(value, member));
}

/** One bad schema would make a provider refuse every request of the agent, hence the care. */
function schemaMistake(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || !("type" in schema) || schema.type !== "object") {
    return 'unexpected parameters, expected a JSON Schema with type "object"';
  }
  const place = placeOutsideJson(schema, "parameters", []);
  return place === undefined ? undefined : `unexpected value at ${place}, expected plain JSON`;
}

/** Where a value holds what JSON cannot; members that are undefined are as good as absent. */
function placeOutsideJson(value: unknown, place: string, parents: readonly object[]): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : place;
  if (typeof value !== "object" || parents.includes(value)) return place;
  for (const [key, member] of Object.entries(value)) {
    const found = member === undefined ? undefined : placeOutsideJson(member, `${place}.${key}`, [...parents, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}
