import { defined, type JsonSchema, type JsonValue } from "@mdx-ai/base";
import type { ParameterDefinition, ToolDefinition } from "../types/tool-definition.ts";

/**
 * The JSON Schema of a tool's arguments: the author's own, else that of an object with the declared parameters and no
 * others, in their order.
 */
export function parametersSchema(tool: Pick<ToolDefinition, "parameters" | "schema">): JsonSchema {
  return tool.schema ?? { type: "object", ...membersSchema(tool.parameters) };
}

function membersSchema(members: readonly ParameterDefinition[]): JsonSchema {
  const required = members.filter((member) => member.required).map((member) => member.name);
  return {
    properties: Object.fromEntries(members.map((member) => [member.name, parameterSchema(member)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The JSON Schema of one parameter. */
export function parameterSchema(parameter: ParameterDefinition): JsonSchema {
  const { type, description, items, nullable = false } = parameter;
  const value =
    items === undefined
      ? valueSchema(parameter, nullable)
      : { items: { type: items, ...valueSchema(parameter, false) } };
  return {
    type: nullable ? [type, "null"] : type,
    ...(description === "" ? {} : { description }),
    ...value,
    ...limitsSchema(parameter),
    ...defined({ default: parameter.default }),
  };
}

/** The schema keywords of a value itself, or of every item of an array. */
function valueSchema({ enum: choices, pattern, members }: ParameterDefinition, nullable: boolean): JsonSchema {
  const values: readonly JsonValue[] = nullable ? [...(choices ?? []), null] : (choices ?? []);
  return {
    ...(choices === undefined ? {} : { enum: values }),
    ...defined({ pattern }),
    ...(members === undefined ? {} : membersSchema(members)),
  };
}

function limitsSchema({ type, minimum, maximum }: ParameterDefinition): JsonSchema {
  const [least, greatest] = limitKeywords(type);
  return {
    ...(minimum === undefined ? {} : { [least]: minimum }),
    ...(maximum === undefined ? {} : { [greatest]: maximum }),
  };
}

function limitKeywords(type: ParameterDefinition["type"]): readonly [least: string, greatest: string] {
  if (type === "string") return ["minLength", "maxLength"];
  return type === "array" ? ["minItems", "maxItems"] : ["minimum", "maximum"];
}
