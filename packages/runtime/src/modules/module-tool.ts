import { resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/models";
import { realPlace } from "../files/real-place.ts";
import { lineText } from "../log/line-text.ts";
import { isRecord } from "../record.ts";
import type { ToolTouch } from "../types/permission.ts";
import type { AgentTool } from "../types/tool.ts";
import type { FailureReport } from "./failure-report.ts";
import { kindOf } from "./kind-of.ts";
import { type TimeLimit, withinTime } from "./time-limit.ts";

/** An element of what `tools()` gave is no tool that a model can be offered. */
class ModuleToolError extends Error {
  override readonly name = "ModuleToolError";
}

/** Where a module's tools come from and how their accesses are looked up. */
export interface ModuleToolOptions {
  /** Absolute; relative paths of an access start here. */
  readonly agentDir: string;
  readonly limit: TimeLimit;
  readonly report: FailureReport;
}

/**
 * One element of what `tools()` returned, as a plain object: changing it later does not change what the model receives.
 * Throws `ModuleToolError`, which says what is wrong, or what a getter throws.
 */
export function moduleTool(value: unknown, file: string, options: ModuleToolOptions): AgentTool {
  if (isAgentTool(value)) {
    const { name, description, parameters, readOnly, idempotent, permission } = value;
    const said = {
      ...(readOnly !== undefined && { readOnly }),
      ...(idempotent !== undefined && { idempotent }),
      ...(permission !== undefined && { permission }),
    };
    const tool = { name, description, parameters, ...said };
    const execute: AgentTool["execute"] = (args, context) => value.execute(args, context);
    if (value.touch === undefined) return { ...tool, execute };
    const at = `${file}: ${name}: touch`;
    return {
      ...tool,
      touch: async (args) => declaredAccess(await calledTouch(value, args, options), at, options),
      execute,
    };
  }
  throw new ModuleToolError(mistake(value) ?? "");
}

/** Calls a tool's `touch`. Rejects with `ModuleToolError` when it throws or takes too long. */
async function calledTouch(tool: AgentTool, args: JsonObject, { limit }: ModuleToolOptions): Promise<unknown> {
  try {
    return await withinTime((async () => tool.touch?.(args))(), limit);
  } catch (cause) {
    throw new ModuleToolError(lineText(cause), { cause });
  }
}

/** Narrows what `touch` returned. A path becomes a real one; any other shape is reported and counts as unknown. */
function declaredAccess(value: unknown, at: string, { agentDir, report }: ModuleToolOptions): ToolTouch {
  const { kind, path, command } = isRecord(value) ? value : {};
  if ((kind === "read" || kind === "write") && typeof path === "string" && path !== "") {
    return { kind, path: realPlace(resolve(agentDir, path)) };
  }
  if (kind === "command" && typeof command === "string") return { kind, command };
  if (kind !== "call") report(at, `returned ${kindOf(value)} that is no access; the access counts as unknown`);
  return { kind: "call" };
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
  const [touch] = members(value, ["touch"]);
  if (touch !== undefined && typeof touch !== "function")
    return `unexpected touch (${kindOf(touch)}), expected a function`;
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
