import { expect, test } from "bun:test";
import { parametersSchema } from "@mdx-ai/parser";
import { agentText } from "../../support/agent-text.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";

/** The parameters that a model is told of, where a tool holds these tags. */
async function schemaOf(params: string): Promise<unknown> {
  const text = `<Tool name="t" description="d">\n${params}\n\n\`\`\`ts\nfunction execute() {}\n\`\`\`\n\n</Tool>\n`;
  const { tools, diagnostics } = await parseAgentMdx(agentText(text));
  expect(diagnostics).toEqual([]);
  const [tool] = tools;
  return tool && parametersSchema(tool);
}

const schema = (properties: object, required?: readonly string[]) => ({
  type: "object",
  properties,
  ...(required && { required }),
  additionalProperties: false,
});

test("a parameter is a string without a description, and required, unless its tag says otherwise", async () => {
  expect(await schemaOf('<Param name="city" />')).toEqual(schema({ city: { type: "string" } }, ["city"]));
});

test.each(["string", "number", "boolean"])("a parameter may be of the type %s", async (type) => {
  const tag = `<Param name="a" type="${type}" description="What it is" />`;
  expect(await schemaOf(tag)).toEqual(schema({ a: { type, description: "What it is" } }, ["a"]));
});

test.each([
  ['required="true"', true],
  ["required", true],
  ["required={true}", true],
  ['required="false"', false],
  ["required={false}", false],
])("a parameter with %s is required: %p", async (attribute, isRequired) => {
  const expected = schema({ a: { type: "string" } }, isRequired ? ["a"] : undefined);
  expect(await schemaOf(`<Param name="a" ${attribute} />`)).toEqual(expected);
});
