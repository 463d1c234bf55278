import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const head = '<Tool name="t" description="d">\n';

describe("code that does not transpile is told at its exact place", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["one error", "async function execute() {\n  return 5 +;\n}", ["12:13 tool-code-syntax"]],
    [
      "after letters of several bytes",
      'function execute() {\n  const s = "é😀都"; let x = ;\n}',
      ["12:29 tool-code-syntax"],
    ],
    [
      "two errors",
      "const a = 1; const a = 2;\nconst b = 1; const b = 2;\nfunction execute() {}",
      ["11:20 tool-code-syntax", "12:20 tool-code-syntax"],
    ],
    ["a body without its function", "const a = 1;\n  return a;", ["12:3 tool-code-syntax"]],
    ["an end that comes too early", "function execute() {\n  return 1;", ["11:20 tool-code-syntax"]],
    ["a text that is not closed", 'function execute() {\n\treturn "a;\n}', ["12:9 tool-code-syntax"]],
  ];
  for (const [name, code, places] of rows) {
    test(name, async () => {
      const { diagnostics } = await parseAgentMdx(agentText(toolWithCode(code)));
      expect(placesOf(diagnostics)).toEqual(places);
    });
  }

  test("with CRLF and a byte-order mark", async () => {
    const text = agentText(toolWithCode('const s = "é";\nfunction execute() { return 5 +; }'));
    const { diagnostics } = await parseAgentMdx(`\uFEFF${text.replaceAll("\n", "\r\n")}`);
    expect(placesOf(diagnostics)).toEqual(["12:32 tool-code-syntax"]);
  });
});

test("code is not run to be checked, not even a macro", async () => {
  using folder = temporaryDirectory();
  const mark = join(folder.path, "mark");
  for (const source of ['"node:fs" with { type: "macro" }', '"macro:node:fs"']) {
    const code = `import { writeFileSync } from ${source};\nfunction execute() { writeFileSync("${mark}", ""); }`;
    const { diagnostics } = await parseAgentMdx(agentText(toolWithCode(code)));
    expect(placesOf(diagnostics)).toEqual(["12:22 tool-code-syntax"]);
    expect(existsSync(mark)).toBe(false);
  }
});

describe("the place of code within the file", () => {
  const wrong = "function execute() {\n  return 5 +;\n}";
  const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
  const rows: readonly [string, string, { indent: number; line: number }, string][] = [
    ["fence at the margin", `${head}\`\`\`ts\n${wrong}\n\`\`\`\n</Tool>`, { indent: 0, line: 9 }, "10:13"],
    [
      "indented by two",
      `${head}\n${indented(`\`\`\`ts\n${wrong}\n\`\`\``, "  ")}\n</Tool>`,
      { indent: 2, line: 10 },
      "11:15",
    ],
    [
      "indented by a tab",
      `${head}\n${indented(`\`\`\`ts\n${wrong}\n\`\`\``, "\t")}\n</Tool>`,
      { indent: 1, line: 10 },
      "11:14",
    ],
    [
      "indented fence, code at the margin",
      `${head}\n  \`\`\`ts\n${wrong}\n  \`\`\`\n</Tool>`,
      { indent: 0, line: 10 },
      "11:13",
    ],
    [
      "in a list",
      `- a\n\n${indented(`${head}\`\`\`ts\n${wrong}\n\`\`\`\n</Tool>`, "  ")}`,
      { indent: 2, line: 11 },
      "12:15",
    ],
    [
      "in a quote",
      indented(`${head}\n\`\`\`ts\n${wrong}\n\`\`\`\n\n</Tool>`, "> ").replace(/^$/gm, ">"),
      { indent: 2, line: 10 },
      "11:15",
    ],
    ["a blank first line", `${head}\`\`\`ts\n\n${wrong}\n\`\`\`\n</Tool>`, { indent: 0, line: 9 }, "11:13"],
    [
      "a longer fence with words after it",
      `${head}\`\`\`\`\` ts title="x"\n${wrong}\n\`\`\`\`\`\n</Tool>`,
      { indent: 0, line: 9 },
      "10:13",
    ],
  ];
  for (const [name, tool, { indent, line }, place] of rows) {
    test(name, async () => {
      const { tools, diagnostics } = await parseAgentMdx(agentText(tool));
      expect(placesOf(diagnostics)).toEqual([`${place} tool-code-syntax`]);
      expect(tools[0]?.code).toMatchObject({ indent, position: { line, column: indent + 1 } });
      expect(tools[0]?.code.text.trim()).toBe(wrong);
    });
  }

  test("where a line is indented less than its fence, all lines keep their columns", async () => {
    const code = "  const t = `\n a`;\n  function execute() { return 5 +; }";
    const text = `${head}\n  \`\`\`ts\n${code}\n  \`\`\`\n</Tool>`;
    const { tools, diagnostics } = await parseAgentMdx(agentText(text));
    expect(tools[0]?.code).toMatchObject({ indent: 1, text: " const t = `\na`;\n function execute() { return 5 +; }" });
    expect(placesOf(diagnostics)).toEqual(["12:34 tool-code-syntax"]);
  });
});

describe("execute", () => {
  const present: readonly string[] = [
    "async function execute(params, ctx) { return ''; }",
    "function* other() {}\nfunction execute() {}",
    "const execute = async () => '';",
    "let execute: (a: number) => string = (a) => String(a);",
    "export async function execute() {}",
    "export const execute = () => '';",
    "export default async function execute() {}",
    "const run = () => '';\nexport { run as execute };",
    'import { execute } from "./elsewhere.ts";\nexport { execute };',
    "interface A { b: string }\nenum E { X }\nexport async function execute(a: A): Promise<string> { return E.X + a.b; }\n// end",
  ];
  for (const code of present) {
    test(`is found in: ${code.split("\n").join(" ⏎ ")}`, async () => {
      expect((await parseAgentMdx(agentText(toolWithCode(code)))).diagnostics).toEqual([]);
    });
  }

  const absent: readonly string[] = [
    "",
    "// async function execute() {}",
    "/* function execute() {} */ const a = 1;",
    'const a = "function execute() {}";',
    "function outer() { function execute() {} }",
    "{ function execute() {} }",
    "type execute = string;",
    "declare function execute(): void;",
    "const a = { execute() {} };",
    "class Execute { execute() {} }",
    "async function Execute() {}",
  ];
  for (const code of absent) {
    test(`is missed in: ${code}`, async () => {
      const { diagnostics } = await parseAgentMdx(agentText(toolWithCode(code)));
      expect(placesOf(diagnostics)).toEqual(["10:1 tool-execute"]);
    });
  }
});

describe("a code block may hold more than its execute", () => {
  const rows: readonly [string, string][] = [
    [
      "several helpers beside it, before and after",
      "const unit = 'C';\nfunction round(x: number) { return Math.round(x); }\nasync function execute() { return show(round(1.5)); }\nfunction show(x: number) { return x + unit; }\nclass Cache { readonly seen = new Map(); }\ntype Shown = string;",
    ],
    [
      "an import of node:",
      'import { readFile } from "node:fs/promises";\nfunction execute() { return readFile("a"); }',
    ],
    [
      "an import of bun",
      'import { $ } from "bun";\nimport { Database } from "bun:sqlite";\nfunction execute() { return [$, Database]; }',
    ],
    [
      "an import of a package",
      'import leven, { type Options } from "leven";\nfunction execute(o: Options) { return leven("a", "b", o); }',
    ],
    ["an import of a scoped package", 'import * as x from "@scope/name/part";\nfunction execute() { return x; }'],
    [
      "imports of files beside agent.mdx",
      'import { a } from "./lib/a.ts";\nimport data from "../agent/data.json" with { type: "json" };\nfunction execute() { return [a, data]; }',
    ],
    [
      "an import of types alone",
      'import type { ToolContext } from "mdx-ai";\nfunction execute(_: unknown, ctx: ToolContext) { return ctx; }',
    ],
    ["an import when it is needed", 'async function execute() { return (await import("left-pad")).default; }'],
    ["an await of its own", "const ready = await Promise.resolve(1);\nexport function execute() { return ready; }"],
  ];
  for (const [name, code] of rows) {
    test(name, async () => {
      const { tools, diagnostics } = await parseAgentMdx(agentText(toolWithCode(code)));
      expect(diagnostics).toEqual([]);
      expect(tools.map((tool) => tool.code.text)).toEqual([code]);
    });
  }
});
