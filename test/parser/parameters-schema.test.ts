import { expect, test } from "bun:test";
import { type ParameterDefinition, parametersSchema } from "@mdx-ai/parser";

const position = { line: 1, column: 1 };
const parameter = (fields: Partial<ParameterDefinition>): ParameterDefinition => ({
  name: "city",
  type: "string",
  description: "",
  required: true,
  position,
  ...fields,
});

test("parameters become a schema that takes them and nothing else, in their order", () => {
  const parameters = [
    parameter({ description: "City name" }),
    parameter({ name: "days", type: "number", required: false }),
    parameter({ name: "__proto__", type: "boolean" }),
  ];
  const schema = parametersSchema({ parameters });
  expect(JSON.stringify(schema)).toBe(
    '{"type":"object","properties":{"city":{"type":"string","description":"City name"},"days":{"type":"number"},"__proto__":{"type":"boolean"}},"required":["city","__proto__"],"additionalProperties":false}',
  );
});

test("a tool without parameters takes an empty object", () => {
  expect(parametersSchema({ parameters: [] })).toEqual({ type: "object", properties: {}, additionalProperties: false });
});
