import { isRecord } from "@mdx-ai/base";
import { isSame } from "../schemas/same-json.ts";
import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Statuses of a request in which something is not as the server wants it; gateways report some with a success. */
const statuses: readonly (number | undefined)[] = [undefined, 400, 422, 500];

/** What a refusal is about that leaves tools out. */
const ABOUT_TOOLS =
  /schema|param(?:eter)?s|propert(?:y|ies)|grammar|function.?declaration|tools?\b.*\bdefinition|(?:functions?|tools?)\b.*\bname/i;

/** Refusals of a call that the model made, which other adaptations and the model itself answer, and of cache points. */
const ABOUT_CALLS =
  /tool.call.validation|tool_use_failed|failed to call|attempted to call|failed_generation|cache_control|tool_choice/i;

/**
 * Leaves out tools that the server refuses, and with each of which it would refuse every further request. A tool with another
 * schema is tried again.
 */
export function refusedTools(): Adaptation {
  const refused = new Map<string, ToolSchema>();
  const isRefused = (tool: ToolSchema): boolean => {
    const known = refused.get(tool.name);
    return known !== undefined && (known === tool || isSame(known, tool));
  };
  return {
    learn(request) {
      const tools = toolsAtFault(request);
      for (const tool of tools) refused.set(tool.name, tool);
      return tools.length === 0 ? undefined : leftOut(tools);
    },
    request: (request) => withoutTools(request, isRefused),
  };
}

const withoutTools = (request: ModelRequest, isRefused: (tool: ToolSchema) => boolean): ModelRequest =>
  request.tools.some(isRefused) ? { ...request, tools: request.tools.filter((tool) => !isRefused(tool)) } : request;

function leftOut(tools: readonly ToolSchema[]): string {
  const names = tools.map(({ name }) => name).join(", ");
  return tools.length === 1
    ? `the tool ${names} is left out, since the server refuses its schema`
    : `the tools ${names} are left out, since the server refuses their schemas`;
}

/** The tools that a refusal names, by their names or by their position. */
function toolsAtFault(refused: RefusedRequest): readonly ToolSchema[] {
  const { status, said, field = "", request } = refused;
  const text = `${field} ${said}`;
  if (!statuses.includes(status) || !ABOUT_TOOLS.test(text) || ABOUT_CALLS.test(text)) return [];
  const positions = new Set(positionsIn(text));
  const names = new Set(namesIn(said));
  const named = request.tools.filter(
    ({ name }, index) => names.has(name) || (names.size === 0 && positions.has(index)),
  );
  if (named.length > 0) return named;
  const placed = request.tools.filter((_, index) => positions.has(index));
  if (placed.length > 0) return placed;
  const mentioned = request.tools.filter(({ name }) => isMentioned(name, said));
  return mentioned.length > 0 ? mentioned : onlyToolWith(propertyIn(said), request.tools);
}

/** The property at the root of a schema that a refusal names by its path, such as `properties.x`. */
const propertyIn = (said: string): string | undefined => /\bproperties[.['"\], ]+([\w$-]+)/.exec(said)?.[1];

function onlyToolWith(property: string | undefined, tools: readonly ToolSchema[]): readonly ToolSchema[] {
  const having = tools.filter(
    ({ parameters: { properties } }) => isRecord(properties) && Object.hasOwn(properties, property ?? ""),
  );
  return having.length === 1 ? having : [];
}

/** Whether a text has the name of a tool: one that is no plain word, or any in quotes or behind the word "tool". */
function isMentioned(name: string, said: string): boolean {
  const before = /[^a-z]/i.test(name) ? "" : "(?:[\"'`]|\\b(?:tool|function)(?: name)?:? )";
  return new RegExp(`${before}(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "i").test(said);
}

/** Of `tools[0].function_declarations[8]` the second counts, if all functions are in one. */
function positionsIn(text: string): readonly number[] {
  const paths = text.matchAll(
    /\btools?(?:['"]?[:,]? ?\[|['"], |[._/](?=\d))(\d+)\]?(?:\.function_?declarations?(?:\[|\.)(\d+))?|\bfunction_?declarations?\[(\d+)/gi,
  );
  return [...paths].map(([, tool = "0", declaration, alone]) => {
    const inner = declaration ?? alone;
    return Number(inner === undefined || (tool !== "0" && inner === "0") ? tool : inner);
  });
}

/** How servers name a tool: `function 'x'`, `tool x,`, `` `x` functionDeclaration ``. */
const namings: readonly RegExp[] = [
  /\b(?:function|tool)s?(?: name| named| schema| definition| parameters)*(?: for| of)?[ :=]+["'`]([\w.-]{1,128})["'`]/gi,
  /\bschema for (?:function|tool) ["'`]?([\w.-]{1,128})/gi,
  /\b(?:function|tool) ([\w-]{1,128}),? tools?\[/gi,
  /["'`]?\b([\w.-]{1,128})["'`]? function_?declaration\b/gi,
];

const namesIn = (said: string): readonly string[] =>
  namings.flatMap((naming) => [...said.matchAll(naming)].flatMap(([, name]) => name ?? []));
