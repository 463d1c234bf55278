import type { JsonSchema } from "./types/json.ts";
import type { ParameterDefinition, ToolDefinition } from "./types/tool-definition.ts";

/** The JSON Schema of a tool's arguments: an object with the declared parameters and no others, in their order. */
export function parametersSchema(tool: Pick<ToolDefinition, "parameters">): JsonSchema {
  const required = tool.parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return {
    type: "object",
    properties: Object.fromEntries(tool.parameters.map((parameter) => [parameter.name, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function schemaOf(parameter: ParameterDefinition): JsonSchema {
  return {
    type: parameter.type,
    ...(parameter.description === "" ? {} : { description: parameter.description }),
  };
}
