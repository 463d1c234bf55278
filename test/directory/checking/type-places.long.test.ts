import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles, writeText } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { agentWith, checkedDirectory, checkedFiles, placeAndRule, typedTool } from "../../support/type-check.ts";

const inExecute = (body: string): string => `async function execute() {\n${body}\n}`;

/** Code of a tool that takes nothing, and the places from its first line on, with the number of the message. */
const bodies: readonly (readonly [name: string, code: string, expected: readonly string[]])[] = [
  ["a value of another type", inExecute("  const n: number = 'x';"), ["2:9 TS2322"]],
  ["an argument of another type", inExecute("  return Math.abs('x');"), ["2:19 TS2345"]],
  ["a name that is not there", inExecute("  return nowhere;"), ["2:10 TS2304"]],
  ["a member that is not there", inExecute("  return 'x'.lenght;"), ["2:14 TS2551"]],
  ["what may be undefined", inExecute("  return ['x'].find(Boolean).length;"), ["2:10 TS2532"]],
  ["a variable that is read before it has a value", inExecute("  let n: number;\n  return n;"), ["3:10 TS2454"]],
  ["an argument too many", inExecute("  return String(1, 2);"), ["2:20 TS2554"]],
  ["a text that is read as a number", inExecute("  return 'x' * 2;"), ["2:10 TS2362"]],
  ["a file that is not there", `import { x } from "./nowhere.ts";\n${inExecute("  return x;")}`, ["1:19 TS2307"]],
  ["a package that is not installed", `import x from "no-such-package";\n${inExecute("  return x;")}`, ["1:15 TS2307"]],
  [
    "an export that is not there",
    `import { nothing } from "node:fs";\n${inExecute("  return nothing;")}`,
    ["1:10 TS2305"],
  ],
  ["a result of another type", "async function execute(): Promise<string> {\n  return 5;\n}", ["2:3 TS2322"]],
  ["a promise that nobody waited for", inExecute("  return fetch('x').status;"), ["2:21 TS2339"]],
  ["two mistakes on one line", inExecute("  const a: number = '', b: string = 0;"), ["2:9 TS2322", "2:25 TS2322"]],
  [
    "a helper that is called wrongly",
    `${inExecute("  return help('x');")}\nfunction help(n: number) { return n; }`,
    ["2:15 TS2345"],
  ],
  ["a place behind letters of several units", inExecute('  const s = "😀é𝒳"; const n: number = s;'), ["2:28 TS2322"]],
  ["a place behind tabs", inExecute("\t\tconst n: number = 'x';"), ["2:9 TS2322"]],
  [
    "a place behind a separator of lines in a text",
    inExecute('  const s = "\u2028"; const n: number = s;'),
    ["2:24 TS2322"],
  ],
];

const text = agentWith(...bodies.map(([, code], index) => typedTool(`body_${index}`, "", code)));
let found: readonly string[] = [];

beforeAll(async () => {
  found = (await checkedFiles({ "agent.mdx": text })).map(
    ({ line, column, rule, message }) => `${line}:${column} ${rule} ${/TS\d+/.exec(message)?.[0]}`,
  );
});

describe("TypeScript's messages about a tool have their position in agent.mdx:", () => {
  test.each(bodies.map(([name, , expected], index) => ({ name, expected, index })))("$name", ({ expected, index }) => {
    const from = text.slice(0, text.indexOf("```ts\n", text.indexOf(`name="body_${index}"`))).split("\n").length;
    const to = text.slice(0, text.indexOf("</Tool>", text.indexOf(`name="body_${index}"`))).split("\n").length;
    const places = found.flatMap((one) => {
      const line = Number.parseInt(one, 10);
      return line > from && line < to ? [one.replace(/^\d+/, String(line - from)).replace(" tool-types", "")] : [];
    });
    expect(places).toStrictEqual([...expected]);
  });

  test("nowhere else", () => {
    expect(found).toHaveLength(bodies.flatMap(([, , expected]) => expected).length);
  });
});

const hooks = 'describe: () => ({ name: "m", description: "M" }), initialize: async () => {}';
const WRONG = "async function execute() {\n  const wrong: number = 'x';\n}";

describe("the place is right", () => {
  test("where lines end with CRLF and the file begins with a byte-order mark", async () => {
    const agent = `\uFEFF${agentWith(typedTool("t", "", WRONG)).replaceAll("\n", "\r\n")}`;
    expect((await checkedFiles({ "agent.mdx": agent })).map(placeAndRule)).toStrictEqual(["agent.mdx:12:9 tool-types"]);
  });

  test("where the block is indented", async () => {
    const tool = typedTool("t", "", WRONG).replace(/```ts[\s\S]*```/, (block) => block.replace(/^/gm, "    "));
    const indented = tool.replace(/^ {4}/gm, "   ");
    const places = (await checkedFiles({ "agent.mdx": agentWith(indented) })).map(placeAndRule);
    expect(places).toStrictEqual(["agent.mdx:12:12 tool-types"]);
  });

  test("where the first line of the file is the code's", async () => {
    const agent = agentWith('<Tool name="t" description="D" src="./tools/t.ts" />\n');
    const places = (
      await checkedFiles({ "agent.mdx": agent, "tools/t.ts": `\uFEFFconst a: number = "x";\n${WRONG}` })
    ).map(placeAndRule);
    expect(places).toStrictEqual(["tools/t.ts:1:7 tool-types", "tools/t.ts:3:9 tool-types"]);
  });
});

describe("what a tool imports", () => {
  test("is found beside agent.mdx and above it, in packages, of node and of Bun, and is checked itself", async () => {
    using home = temporaryDirectory();
    const code = [
      'import { basename } from "node:path";',
      'import { $ } from "bun";',
      'import { up } from "../up.ts";',
      'import { help } from "./lib/help.ts";',
      'import { packed } from "packed";',
      'import above from "packed-above";',
      'import data from "./data.json";',
      'import type { ToolContext } from "mdx-ai";',
      "export async function execute(_: unknown, { cwd, signal }: ToolContext) {",
      "  await $`ls`.cwd(cwd);",
      "  await fetch('http://localhost', { signal });",
      "  const texts: string[] = [basename(cwd), up, packed, above, data.text, process.version];",
      "  const wrong: [number, number, number, number] = [up, packed, above, data.text];",
      "  return help(texts, wrong);",
      "}",
    ].join("\n");
    writeFiles(home.path, {
      "home/agent/agent.mdx": agentWith(typedTool("t", "", code)),
      "home/agent/lib/help.ts":
        'import { more } from "./more.ts";\nexport const help = (...all: unknown[]): string => more(all.length);\n',
      "home/agent/lib/more.ts": "export const more = (count: number): string => count;\n",
      "home/agent/data.json": '{"text": "x"}',
      "home/agent/node_modules/packed/package.json": '{"name": "packed", "types": "index.d.ts"}',
      "home/agent/node_modules/packed/index.d.ts": "export declare const packed: string;",
      "home/node_modules/packed-above/package.json": '{"name": "packed-above", "main": "index.ts"}',
      "home/node_modules/packed-above/index.ts": "const wrong: number = 'x';\nexport default 'above';\n",
      "home/up.ts": "export const up: string = 5;\n",
    });
    const directory = await readAgentDirectory(`${home.path}/home/agent`);
    expect((await checkedDirectory(directory)).map(placeAndRule)).toStrictEqual([
      "../up.ts:1:14 tool-types",
      "agent.mdx:23:52 tool-types",
      "agent.mdx:23:56 tool-types",
      "agent.mdx:23:64 tool-types",
      "agent.mdx:23:71 tool-types",
      "lib/more.ts:1:48 tool-types",
    ]);
  });

  test("may be a text, JSON, or what TypeScript gives no type to", async () => {
    const code = [
      'import notes from "./notes.md" with { type: "text" };',
      'import settings from "./settings.yaml";',
      'import { untyped } from "./untyped.js";',
      "export const execute = (): string => notes.trim() + settings.any + untyped(1).length;",
    ].join("\n");
    const found = await checkedFiles({
      "agent.mdx": agentWith(typedTool("t", "", code)),
      "notes.md": "x",
      "settings.yaml": "any: 1",
      "untyped.js": "export function untyped(count) { return count.anything; }\n",
    });
    expect(found).toStrictEqual([]);
  });

  test("is reported once if a module imports the source of a tool, too", async () => {
    const found = await checkedFiles({
      "agent.mdx": agentWith('<Tool name="t" description="D" src="./tools/t.ts" />\n'),
      "tools/t.ts": "const wrong: number = 'x';\nexport const execute = () => wrong;\n",
      "modules/m.ts": `import "../tools/t.ts";\nexport default { ${hooks} };\n`,
    });
    expect(found.map(placeAndRule)).toStrictEqual(["tools/t.ts:1:7 tool-types"]);
  });

  test("is reported once if several tools import it", async () => {
    const tools = ["one", "two"].map((name) =>
      typedTool(name, "", 'import { a } from "./a.ts";\nexport function execute() { return a; }'),
    );
    const found = await checkedFiles({ "agent.mdx": agentWith(...tools), "a.ts": "export const a: string = 1;\n" });
    expect(found.map(placeAndRule)).toStrictEqual(["a.ts:1:14 tool-types"]);
  });

  test("keeps what it is where it is one file with two tools", async () => {
    const tools = ["one", "two"].map((name) => `<Tool name="${name}" description="D" src="./tools/t.ts" />\n`);
    const code =
      'import { b } from "../b.ts";\nexport function execute(params: { city: string }) { return params.city + b.c; }\n';
    const found = await checkedFiles({
      "agent.mdx": agentWith(...tools),
      "tools/t.ts": code,
      "b.ts": "export const b = {};\n",
    });
    expect(found.map(placeAndRule)).toStrictEqual(["tools/t.ts:2:17 tool-execute-type", "tools/t.ts:2:76 tool-types"]);
  });
});

describe("the files of modules/", () => {
  test("are checked with all that they import", async () => {
    const found = await checkedFiles({
      "agent.mdx": agentWith(),
      "modules/bad.ts": `import type { AgentModule } from "mdx-ai";\nimport { deep } from "../lib/deep.ts";\n\nexport default { ${hooks}, tools: () => [deep] } satisfies AgentModule;\n`,
      "modules/good.ts": `export default { ${hooks}, tools: () => [{ name: "t", permission: "ask" }] };\n`,
      "lib/deep.ts": "export const deep: string = 5;\n",
    });
    expect(found.map(placeAndRule)).toStrictEqual(["lib/deep.ts:1:14 tool-types", "modules/bad.ts:4:97 module-types"]);
  });

  test("must have a default export that can be a module", async () => {
    const found = await checkedFiles({
      "agent.mdx": agentWith(),
      "modules/none.ts": "export const a = 1;\n",
      "modules/text.ts": '// A text.\nexport default "text";\n',
      "modules/one.ts": 'export default { systemPrompt: () => "One member is enough." };\n',
      "modules/without.ts": 'export default { sytemPrompt: () => "M" };\n',
      "modules/wrong.ts": `export default { ${hooks}, tools: [] };\n`,
    });
    expect(found.map(placeAndRule)).toStrictEqual([
      "modules/none.ts:1:1 module-types",
      "modules/text.ts:2:1 module-types",
      "modules/without.ts:1:1 module-types",
      "modules/wrong.ts:1:1 module-types",
    ]);
    const [none = "", text = "", without = "", wrong = ""] = found.map(({ message, hint }) => `${message}\n${hint}`);
    expect(none).toContain("has no default export");
    expect(text).toContain("has no properties in common with type");
    expect(without).toContain("did you mean `systemPrompt`?");
    expect(wrong).toContain("Types of property 'tools' are incompatible");
  });
});

describe("a module whose function is misspelled beside others", () => {
  const checkedModule = (text: string) => checkedFiles({ "agent.mdx": agentWith(), "modules/m.ts": text });

  test("gets the right name", async () => {
    const found = await checkedModule(
      'const own = { describe: () => ({ name: "m", description: "" }), beforPrompt: () => ({ context: "M" }) };\nexport default own;\n',
    );
    expect(found.map(placeAndRule)).toStrictEqual(["modules/m.ts:2:1 module-types"]);
    expect(found[0]).toMatchObject({
      message: "`beforPrompt` is not a function of `AgentModule`, so nothing calls it",
      hint: "did you mean `beforePrompt`?",
    });
  });

  test.each([
    ["functions of its own", "{ systemPrompt() { return this.now(); }, now: () => 'M', count: 0, stp: 5 }"],
    [
      "a class with private parts",
      "new (class { #seen = 0; systemPrompt() { return `${this.#seen}`; } clear() {} })()",
    ],
    ["a method whose name is like none", "{ systemPrompt: () => 'M', refresh: () => 'M' }"],
    ["any members at all", "JSON.parse('{}')"],
    ["members by name", "{ systemPrompt: () => 'M' } as Record<string, () => string>"],
  ])("may have %s", async (_what, code) => {
    expect(await checkedModule(`export default ${code};\n`)).toStrictEqual([]);
  });
});

describe("nothing is said", () => {
  test("about a tool whose code does not parse, which others tell", async () => {
    const tools = [typedTool("broken", "", "function execute( {"), typedTool("wrong", "", WRONG)];
    expect((await checkedFiles({ "agent.mdx": agentWith(...tools) })).map(placeAndRule)).toStrictEqual([
      "agent.mdx:21:9 tool-types",
    ]);
  });

  test("about what small scripts leave open: parameters without types, and what is caught", async () => {
    const code = [
      "const seen = {};",
      "async function execute(params, ctx) {",
      "  try { seen[params.city] = await ctx.log(params.city); } catch (error) { return error.message; }",
      "  return seen[params.city];",
      "}",
    ].join("\n");
    const tool = typedTool("t", '<Param name="city" description="D" />', code);
    expect(await checkedFiles({ "agent.mdx": agentWith(tool) })).toStrictEqual([]);
  });

  test("about the agent directory's own tsconfig.json, which counts for nothing", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": agentWith(typedTool("t", "", WRONG)) });
    writeText(`${home.path}/tsconfig.json`, '{"compilerOptions": {"noCheck": true, "plugins": [{"name": "x"}]}}');
    expect(await checkedDirectory(await readAgentDirectory(home.path))).toHaveLength(1);
  });
});

describe("a hostile directory", () => {
  test("cannot hide a wrong type behind @ts-nocheck", async () => {
    const tool = typedTool(
      "t",
      "",
      "// @ts-nocheck\nfunction execute(params: { city: string }) { return params.town; }",
    );
    expect((await checkedFiles({ "agent.mdx": agentWith(tool) })).map(placeAndRule)).toStrictEqual([
      "agent.mdx:12:10 tool-execute-type",
    ]);
  });

  test("cannot run a macro of a source or of what a tool imports", async () => {
    using home = temporaryDirectory();
    const mark = `${home.path}/mark`;
    const code = 'import { mark } from "./macro.ts" with { type: "macro" };\nexport const marked: string = mark();\n';
    writeFiles(home.path, {
      "agent.mdx": agentWith(
        '<Tool name="s" description="D" src="./source.ts" />\n',
        typedTool("t", "", 'import { marked } from "./helper.ts";\nexport const execute = () => marked;'),
      ),
      "source.ts": `${code}export const execute = () => marked;\n`,
      "helper.ts": code,
      "macro.ts": `import { writeFileSync } from "node:fs";\nwriteFileSync("${mark}", "");\nexport const mark = () => "";\n`,
    });
    await checkedDirectory(await readAgentDirectory(home.path));
    expect(await Bun.file(mark).exists()).toBe(false);
  });

  test("cannot have the check write into an installed package that a tool's src names", async () => {
    using home = temporaryDirectory();
    const code = "export function execute() { return helped; }\n";
    writeFiles(home.path, {
      "agent.mdx": agentWith('<Tool name="s" description="D" src="node_modules/own/tool.ts" />\n'),
      "node_modules/own/tool.ts": `import { helped } from "./help.ts";\nimport { other } from "other";\n${code}other.x;\n`,
      "node_modules/own/help.ts": "export const helped = 1;\n",
      "node_modules/other/index.ts": "export const other = { y: 1 };\n",
    });
    const before = readFileSync(`${home.path}/node_modules/own/tool.ts`, "utf8");
    const found = await checkedDirectory(await readAgentDirectory(home.path));
    expect(readFileSync(`${home.path}/node_modules/own/tool.ts`, "utf8")).toBe(before);
    expect(found.map(placeAndRule)).toStrictEqual(["node_modules/own/tool.ts:4:7 tool-types"]);
  });

  test("is checked where it is itself an installed package, with those beside it", async () => {
    using home = temporaryDirectory();
    const code = 'import { other } from "other";\nexport const execute = () => other.x;';
    writeFiles(home.path, {
      "node_modules/agent/agent.mdx": agentWith(typedTool("t", "", code)),
      "node_modules/other/index.ts": "export const other = { y: 1 };\n",
    });
    const found = await checkedDirectory(await readAgentDirectory(`${home.path}/node_modules/agent`));
    expect(found.map(({ message }) => message)).toStrictEqual([
      "Property 'x' does not exist on type '{ y: number; }' (TS2339)",
    ]);
  });

  test("cannot block the check with a pipe without a writer", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent.mdx": agentWith(typedTool("t", "", 'import "./pipe.ts";\nexport const execute = () => 1;')),
    });
    Bun.spawnSync(["mkfifo", `${home.path}/pipe.ts`]);
    const directory = await readAgentDirectory(home.path);
    await expect(checkedDirectory(directory, 2_000)).rejects.toThrow("took too long");
  });

  test("can have a type that is too deep to compare, which is not drift", async () => {
    const deep =
      'type Loop<N extends unknown[]> = N["length"] extends 5000 ? number : Loop<[...N, 1]>;\nexport type Deep = { [K in "city"]: Loop<[K]> };\n';
    const code = 'import type { Deep } from "deep";\nexport function execute(params: Deep) { return typeof params; }';
    const found = await checkedFiles({
      "agent.mdx": agentWith(typedTool("t", '<Param name="city" description="D" />', code)),
      "node_modules/deep/index.d.ts": deep,
    });
    expect(found).toStrictEqual([]);
  });

  test("can have circular types, which TypeScript reports", async () => {
    const code =
      "type Round<T> = { [K in keyof T]: Round<[T, T]> }[keyof T];\ndeclare const value: Round<{ a: 1 }>;\nexport const execute = () => value;";
    const found = await checkedFiles({ "agent.mdx": agentWith(typedTool("t", "", code)) });
    expect(found.length).toBeLessThan(10);
  });
});
