import { isRecord } from "@mdx-ai/base";
import { isSame } from "../schemas/same-json.ts";
import type { ModelRequest, ToolSchema } from "../types/language-model.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";

/** Statuses of an invalid request; gateways report some as a success. */
const statuses: readonly (number | undefined)[] = [undefined, 400, 422, 500];

/** Refusals for which tools are dropped. */
const ABOUT_TOOLS =
  /schema|param(?:eter)?s|propert(?:y|ies)|grammar|function.?declaration|tools?\b.*\bdefinition|(?:functions?|tools?)\b.*\bname/i;

/** Refusals of a call that the model made, which are handled elsewhere, and of cache points. */
const ABOUT_CALLS =
  /tool.call.validation|tool_use_failed|failed to call|attempted to call|failed_generation|cache_control|tool_choice/i;

/** Drops tools that the server refuses, since every later request would be refused. A tool is tried again if its schema changes. */
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

/** The tools that a refusal names, by name or position. */
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

/** The property of a schema's root that a refusal names by path, such as `properties.x`. */
const propertyIn = (said: string): string | undefined => /\bproperties[.['"\], ]+([\w$-]+)/.exec(said)?.[1];

function onlyToolWith(property: string | undefined, tools: readonly ToolSchema[]): readonly ToolSchema[] {
  const having = tools.filter(
    ({ parameters: { properties } }) => isRecord(properties) && Object.hasOwn(properties, property ?? ""),
  );
  return having.length === 1 ? having : [];
}

/** Whether a text contains the name of a tool: one that is not a common word, or any name in quotes or after the word "tool". */
function isMentioned(name: string, said: string): boolean {
  const before = /[^a-z]/i.test(name) ? "" : "(?:[\"'`]|\\b(?:tool|function)(?: name)?:? )";
  return new RegExp(`${before}(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "i").test(said);
}

/** In `tools[0].function_declarations[8]` the second number counts if all functions are in one tool. */
function positionsIn(text: string): readonly number[] {
  const paths = text.matchAll(
    /\btools?(?:['"]?[:,]? ?\[|['"], |[._/](?=\d))(\d+)\]?(?:\.function_?declarations?(?:\[|\.)(\d+))?|\bfunction_?declarations?\[(\d+)/gi,
  );
  return [...paths].map(([, tool = "0", declaration, alone]) => {
    const inner = declaration ?? alone;
    return Number(inner === undefined || (tool !== "0" && inner === "0") ? tool : inner);
  });
}

/** Ways in which servers name a tool: `function 'x'`, `tool x,`, `` `x` functionDeclaration ``. */
const namings: readonly RegExp[] = [
  /\b(?:function|tool)s?(?: name| named| schema| definition| parameters)*(?: for| of)?[ :=]+["'`]([\w.-]{1,128})["'`]/gi,
  /\bschema for (?:function|tool) ["'`]?([\w.-]{1,128})/gi,
  /\b(?:function|tool) ([\w-]{1,128}),? tools?\[/gi,
  /["'`]?\b([\w.-]{1,128})["'`]? function_?declaration\b/gi,
];

const namesIn = (said: string): readonly string[] =>
  namings.flatMap((naming) => [...said.matchAll(naming)].flatMap(([, name]) => name ?? []));
