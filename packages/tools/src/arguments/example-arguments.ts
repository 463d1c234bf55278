import { isJsonObject, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { BuiltinTool } from "@mdx-ai/loop";
import { itemViews, memberViews, namesIn, requiredIn, type Views, viewsOf } from "./schema-views.ts";

/** The longest example in characters; a longer one would hide the problems. */
const MAX_LENGTH = 400;

/** The deepest nesting of objects and lists. */
const DEEPEST = 5;

/** A correct call of a tool as a model would write it: the author's example, or one made from the schema. Empty if there is none. */
export function exampleText({
  tool,
  name,
  fits,
}: {
  readonly tool: BuiltinTool;
  readonly name: string;
  readonly fits: (args: JsonObject) => boolean;
}): string {
  const { parameters } = tool;
  const built = (): JsonValue => objectLike(viewsOf([parameters], parameters), 0);
  const example = [tool.example, built()].find((each) => isJsonObject(each) && fits(each));
  const text = example === undefined ? "" : `${name} ${JSON.stringify(example)}`;
  return text.length > MAX_LENGTH ? "" : text;
}

/** An object with its required members, or one member if none is required. */
function objectLike(views: Views, depth: number): JsonObject {
  const required = requiredIn(views);
  const names = required.length > 0 ? required : (namesIn(views) ?? []).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, valueLike(memberViews(views, name), name, depth + 1)]));
}

function valueLike(views: Views, name: string, depth: number): JsonValue {
  const stated = statedValue(views);
  if (stated !== undefined) return stated;
  switch (typeIn(views)) {
    case "integer":
    case "number":
      return Number(keywordIn(views, "minimum") ?? 1);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return depth > DEEPEST ? [] : [valueLike(itemViews(views), name, depth + 1)];
    case "object":
      return depth > DEEPEST ? {} : objectLike(views, depth);
    default:
      return `<${name}>`;
  }
}

/** A value that the schema states. */
function statedValue({ schemas }: Views): JsonValue | undefined {
  for (const schema of schemas) {
    const { examples, enum: choices } = schema;
    const lists = [examples, choices].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []));
    const [value] = [schema["const"], ...lists, schema["default"]].filter((each) => each !== undefined);
    if (isJson(value)) return value;
  }
  return undefined;
}

/** Schemas are JSON values. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

function typeIn(views: Views): unknown {
  const types = views.schemas.flatMap(({ type }) => (Array.isArray(type) ? type : type === undefined ? [] : [type]));
  if (types.length > 0) return types.find((type) => type !== "null") ?? "null";
  return namesIn(views) === undefined ? undefined : "object";
}

const keywordIn = ({ schemas }: Views, keyword: string): unknown =>
  schemas.map((schema) => schema[keyword]).find((value) => value !== undefined);
