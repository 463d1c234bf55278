import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

const PACKAGE = join(import.meta.dir, "../../packages/cli");

/** The names that a file exports as types, and those that it exports as values. */
function exportsOf(file: string): { readonly types: readonly string[]; readonly values: readonly string[] } {
  const types: string[] = [];
  const values: string[] = [];
  new Visitor({
    ExportNamedDeclaration: ({ exportKind, specifiers }) => {
      const names = exportKind === "type" ? types : values;
      for (const { exported } of specifiers) names.push("name" in exported ? exported.name : exported.value);
    },
    ExportAllDeclaration: () => values.push("*"),
    ExportDefaultDeclaration: () => values.push("default"),
  }).visit(parseSync(file, readFileSync(file, "utf8")).program);
  return { types, values };
}

test("authors of modules import these types from the command's package, and nothing that runs", () => {
  expect(exportsOf(join(PACKAGE, "src/index.ts"))).toEqual({
    types: ["AgentModule", "AgentTool", "ModuleContext", "PromptResult", "ToolContext", "ToolResult"],
    values: [],
  });
});

test("the command's package opens its types and its manifest, and no other file", () => {
  const manifest: { readonly exports: object } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  expect(Object.keys(manifest.exports)).toEqual([".", "./package.json"]);
});
