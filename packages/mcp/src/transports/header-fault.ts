import { isRecord, visibleText } from "@mdx-ai/base";

const KEY = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = new Set<unknown>(["string", "integer", "boolean"]);

/**
 * Why a tool may not be used over HTTP: its schema maps a parameter to a header in a way that the protocol of 2026-07-28 forbids. Undefined
 * if it may. Each header must be unique and belong to a property of a simple type that is reached only through `properties`.
 */
export function headerFault(schema: unknown): string | undefined {
  const names = new Set<string>();
  return faultIn(schema, { isReachable: false, hasPath: true, names });
}

interface Visit {
  /** Whether the schema belongs to a property. */
  readonly isReachable: boolean;
  /** Whether it is reached only through `properties`. */
  readonly hasPath: boolean;
  readonly names: Set<string>;
}

function faultIn(schema: unknown, visit: Visit): string | undefined {
  if (Array.isArray(schema)) return firstFault(schema, { ...visit, isReachable: false, hasPath: false });
  if (!isRecord(schema)) return undefined;
  if (KEY in schema) {
    const fault = visit.isReachable && visit.hasPath ? nameFault(schema, visit.names) : "it is not on a property";
    if (fault !== undefined) return fault;
  }
  for (const [keyword, part] of Object.entries(schema)) {
    const fault = faultBelow(keyword, part, visit);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["const", "enum", "default", "examples", "required", KEY]);

/** Keywords whose values hold schemas by name. */
const MAPS = new Set(["patternProperties", "dependentSchemas", "$defs", "definitions"]);

function faultBelow(keyword: string, part: unknown, visit: Visit): string | undefined {
  if (DATA.has(keyword)) return undefined;
  if (keyword === "properties") {
    return isRecord(part) ? firstFault(Object.values(part), { ...visit, isReachable: true }) : undefined;
  }
  const below: Visit = { ...visit, isReachable: false, hasPath: false };
  return MAPS.has(keyword) && isRecord(part) ? firstFault(Object.values(part), below) : faultIn(part, below);
}

function firstFault(schemas: readonly unknown[], visit: Visit): string | undefined {
  for (const schema of schemas) {
    const fault = faultIn(schema, visit);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nameFault(schema: { readonly [key: string]: unknown }, names: Set<string>): string | undefined {
  const name = schema[KEY];
  if (typeof name !== "string" || !TOKEN.test(name)) return `its name is not a name of a header`;
  if (!TYPES.has(schema["type"])) return `its property is not a string, integer or boolean`;
  const lower = name.toLowerCase();
  if (names.has(lower)) return `${visibleText(name)} is used twice`;
  names.add(lower);
  return undefined;
}
