import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "@mdx-ai/base";
import { typesFile } from "@mdx-ai/directory/checking";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { toolOf } from "../../support/tool-bench.ts";
import { agentWith, typedTool } from "../../support/type-check.ts";

/** The lines of the interface for the parameters of a tool with this schema. */
function members(schema: JsonSchema): string {
  const text = typesFile({ tools: [toolOf("", { name: "t", schema })] });
  return /^export interface TParams \{\n(.*?)^\}/ms.exec(text)?.[1] ?? "";
}

describe("a schema as a type:", () => {
  test.each<readonly [schema: JsonSchema, type: string]>([
    [{ type: "string" }, "string"],
    [{ type: "integer" }, "number"],
    [{ type: ["boolean", "null"] }, "boolean | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: 'a"b' }, '"a\\"b"'],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    [{ type: "array" }, "unknown[]"],
    [{ type: "array", prefixItems: [{ type: "string" }] }, "unknown[]"],
    [{ type: "object" }, "{ [key: string]: unknown }"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"],
    [{ type: "object", additionalProperties: false }, "Record<string, never>"],
    [{ type: "object", properties: { "x-y": {} } }, '{ "x-y"?: unknown; [key: string]: unknown }'],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
    [{ anyOf: [{ type: "string" }, {}] }, "unknown"],
    [{ allOf: [{ type: "string" }] }, "unknown"],
    [{ not: {} }, "unknown"],
    [{ $ref: "#/nowhere" }, "unknown"],
    [{ $ref: "https://example.com/schema" }, "unknown"],
    [{ $ref: "#/properties/a" }, "unknown"],
  ])("%j is %s", (schema, type) => {
    const properties = { a: { ...schema } };
    expect(members({ type: "object", properties, required: ["a"], additionalProperties: false })).toBe(
      `  a: ${type};\n`,
    );
  });

  test("members say whether they can be left out, and a default is always there", () => {
    const properties = { a: {}, b: { type: "string" }, c: { type: "number", default: 1 } };
    expect(members({ type: "object", properties, required: ["a"], additionalProperties: false })).toBe(
      "  a: unknown;\n  b?: string;\n  /** Default: 1 */\n  c: number;\n",
    );
  });
});

async function interfaces(...tools: readonly string[]): Promise<string> {
  using home = temporaryDirectory();
  const { definition } = await readAgentDirectory(writeFiles(home.path, { "agent.mdx": agentWith(...tools) }));
  return typesFile(definition);
}

describe("agent.d.ts", () => {
  test("names the types of tools so that each has a unique identifier", async () => {
    const names = ["fs.list", "fs_list", "fs-list", "2do", "größe", "get weather", "…"];
    const text = await interfaces(...names.map((name) => typedTool(name, "", "export const execute = () => 1;")));
    expect(Array.from(text.matchAll(/^export interface (\S+Params)/gm), ([, name = ""]) => name)).toStrictEqual([
      "FsListParams",
      "FsList2Params",
      "FsList3Params",
      "Tool2doParams",
      "GrößeParams",
      "GetWeatherParams",
      "ToolParams",
    ]);
  });

  test("holds descriptions and defaults as comments that no description can end", async () => {
    const inner = '<Param name="a" description="ends */ here" default="x" />';
    const text = await interfaces(typedTool("t", inner, "export const execute = () => 1;"));
    expect(text).toContain('  /** ends *\\/ here Default: "x" */\n  a: string;\n');
  });

  test("begins with the mark that lets it be written again, and is the same for the same tools", async () => {
    const tool = typedTool("t", "", "export const execute = () => 1;");
    expect(await interfaces(tool)).toStartWith("// Written by `mdx-ai types`");
    expect(await interfaces(tool)).toBe(await interfaces(tool));
  });
});
