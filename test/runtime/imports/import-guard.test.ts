import { describe, expect, test } from "bun:test";
import { readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ImportGraph } from "@mdx-ai/runtime/imports";
import type { TrustedImports } from "../../../packages/runtime/src/types/agent-options.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { moduleBench, moduleText } from "../../support/module-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** What trust covers of the modules of a directory now. */
function trustedIn(directory: string, modules: readonly string[]): TrustedImports {
  const graph = new ImportGraph({ read: (path) => readFileSync(path), root: realpathSync(directory) });
  for (const module of modules) graph.addFile(join(directory, "modules", module));
  const hashes = new Map(graph.files.map(({ path, hash }) => [path, hash]));
  return { hashes, links: [...graph.paths].filter((path) => !hashes.has(path)), absent: [...graph.shadows] };
}

const says = (expression: string, imports = ""): string =>
  `${imports}\n${moduleText(`systemPrompt: () => JSON.stringify(${expression})`)}`;

/** Code that leaves a mark where it runs. */
const evil = (folder: string): string =>
  `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "mark"))}, "");\nexport const b = 2;\n`;

interface Swap {
  readonly title: string;
  /** What of the directory changes after it was trusted. */
  readonly swap: (folder: string) => void;
  /** The file that the warning names. */
  readonly named: string;
}

const swaps: readonly Swap[] = [
  {
    title: "the module itself",
    swap: (folder) => writeFiles(folder, { "modules/a.ts": evil(folder) }),
    named: "modules/a.ts",
  },
  {
    title: "a file that it imports",
    swap: (folder) => writeFiles(folder, { "lib/index.ts": evil(folder) }),
    named: "lib/index.ts",
  },
  {
    title: "CommonJS that it imports",
    swap: (folder) => writeFiles(folder, { "old.cjs": evil(folder).replace("export const b", "exports.b") }),
    named: "old.cjs",
  },
  {
    title: "a package that it imports",
    swap: (folder) => writeFiles(folder, { "node_modules/pad/index.js": evil(folder) }),
    named: "node_modules/pad/index.js",
  },
  {
    title: "a new file in the place of one that it imports",
    swap: (folder) => writeFiles(folder, { "lib.ts": evil(folder) }),
    named: "lib.ts",
  },
  {
    title: "a link on the way to one that it imports",
    swap: (folder) => {
      writeFiles(folder, { "out/evil.ts": evil(folder) });
      rmSync(join(folder, "linked.ts"));
      symlinkSync("out/evil.ts", join(folder, "linked.ts"));
    },
    named: "linked.ts",
  },
];

/** Things of a directory that are not there, or lead nowhere, when it is trusted. */
const late: readonly Swap[] = [
  {
    title: "a link of modules/",
    swap: (folder) => writeFiles(folder, { "modules/target.ts": evil(folder) }),
    named: "modules/.#a.ts",
  },
  {
    title: "a link that is imported",
    swap: (folder) => writeFiles(folder, { "later.ts": evil(folder) }),
    named: "gone.ts",
  },
];

const IMPORTS = [
  'import { b } from "../lib";',
  'import old from "../old.cjs";',
  'import script from "../script.js";',
  'import data from "../data.json";',
  'import text from "../notes.txt";',
  'import pad from "pad";',
  'import { linked } from "../linked.ts";',
  'import { three } from "../macro.ts" with { type: "macro" };',
].join("\n");

const SHOWN = "[b, old.old, script, data.a, text.trim(), pad, linked, three()]";

function writeAgent(folder: string): void {
  writeFiles(folder, {
    "lib/index.ts": "export const b: number = 1;\n",
    "old.cjs": "module.exports = { old: __filename.slice(-7) };\n",
    "script.js": 'export { default } from "./data.json";\n',
    "data.json": '{"a":1}',
    "notes.txt": "Notes\n",
    "macro.ts": "export const three = () => 3;\n",
    "real.ts": "export const linked = 5;\n",
    "node_modules/pad/package.json": '{"name":"pad"}',
    "node_modules/pad/index.js": "module.exports = 'pad';\n",
  });
  symlinkSync("real.ts", join(folder, "linked.ts"));
}

describe("modules that import in every way", () => {
  test("are loaded from the bytes that trust covers as they are without it", async () => {
    using folder = temporaryDirectory();
    writeAgent(folder.path);
    const bench = moduleBench(folder.path, { files: { "a.ts": says(SHOWN, IMPORTS) } });
    const loaded = await bench.load(trustedIn(folder.path, ["a.ts"]));
    expect(bench.warnings).toStrictEqual([]);
    expect(loaded.sections()).toStrictEqual([JSON.stringify([1, "old.cjs", { a: 1 }, 1, "Notes", "pad", 5, 3])]);
  });

  test.each(swaps)("are refused if after trust somebody swaps $title", async ({ swap, named }) => {
    using folder = temporaryDirectory();
    writeAgent(folder.path);
    const bench = moduleBench(folder.path, { files: { "a.ts": says(SHOWN, IMPORTS) } });
    const trusted = trustedIn(folder.path, ["a.ts"]);
    swap(folder.path);
    const loaded = await bench.load(trusted);
    expect(loaded.names).toStrictEqual([]);
    expect(bench.warnings).toHaveLength(1);
    expect(bench.warnings[0]).toMatch(/ (?:has changed since it was trusted|was not there when the agent was trusted)/);
    expect(bench.warnings[0]).toContain(join(folder.path, named));
    expect(await Bun.file(join(folder.path, "mark")).exists()).toBe(false);
  });
});

describe("modules beside a link that leads nowhere", () => {
  function linked(folder: string) {
    const bench = moduleBench(folder, {
      files: { "a.ts": `try { await import("../gone.ts"); } catch {}\n${says("1")}` },
    });
    symlinkSync("target.ts", join(folder, "modules/.#a.ts"));
    symlinkSync("later.ts", join(folder, "gone.ts"));
    return { bench, trusted: trustedIn(folder, ["a.ts", ".#a.ts"]) };
  }

  test("are loaded", async () => {
    using folder = temporaryDirectory();
    const { bench, trusted } = linked(folder.path);
    const loaded = await bench.load(trusted);
    expect([bench.warnings, loaded.sections()]).toStrictEqual([[], ["1"]]);
  });

  test.each(late)("are refused once a file is where it leads: $title", async ({ swap, named }) => {
    using folder = temporaryDirectory();
    const { bench, trusted } = linked(folder.path);
    swap(folder.path);
    const loaded = await bench.load(trusted);
    expect(loaded.names).toStrictEqual([]);
    expect(bench.warnings[0]).toContain(`${join(folder.path, named)} was not there when the agent was trusted`);
    expect(await Bun.file(join(folder.path, "mark")).exists()).toBe(false);
  });
});

describe("while a module is loaded", () => {
  /** Loads a module that first writes a file, as another process could, and then imports it. */
  async function swappedMeanwhile(path: string, specifier: string, { through = "folder", name = "agent" } = {}) {
    using home = temporaryDirectory();
    const folder = join(home.path, name);
    const late = "export const b = 1;\n";
    writeFiles(folder, { "lib/late.ts": late, "lib/CAPITALS.TS": late, "late.js": late });
    writeFiles(folder, { "one-line.js": '"use strict";/* */export const b=1;', "late.cjs": "exports.b = 1;\n" });
    writeFiles(folder, { "plain.js": "globalThis.zz = 1;\n", "sub/data.json": '{"b":1}' });
    symlinkSync(folder, join(home.path, "link"));
    const directory = through === "link" ? join(home.path, "link") : folder;
    const write = `require("node:fs").writeFileSync(${JSON.stringify(join(folder, path))}, ${JSON.stringify(evil(folder))});`;
    const module = `${write}\nconst late = await import(${specifier});\n${says("late.b")}`;
    const bench = moduleBench(directory, { files: { "a.ts": module } });
    const loaded = await bench.load(trustedIn(directory, ["a.ts"]));
    expect(loaded.names).toStrictEqual([]);
    expect(await Bun.file(join(folder, "mark")).exists()).toBe(false);
    return bench.warnings[0];
  }

  test.each([
    ["TypeScript", "lib/late.ts", '"../lib/late.ts"'],
    ["a module in JavaScript", "late.js", '"../late.js"'],
    ["TypeScript with a query", "lib/late.ts", '"../lib/late.ts?x=1"'],
    ["a module in JavaScript with a query", "late.js", '"../late.js?x=%0A1"'],
    ["TypeScript with an ending in capitals", "lib/CAPITALS.TS", '"../lib/CAPITALS.TS"'],
    ["a module that is written in one line", "one-line.js", '"../one-line.js"'],
    ["CommonJS", "late.cjs", '"../late.cjs"'],
    ["JavaScript with neither import nor export", "plain.js", '"../plain.js"'],
    ["data", "sub/data.json", '"../sub/data.json"'],
  ])("%s that is swapped meanwhile is refused: what is compared is what runs", async (_title, path, specifier) => {
    expect(await swappedMeanwhile(path, specifier)).toContain(`${path} has changed since it was trusted`);
  });

  test("so it is through a link to the agent directory", async () => {
    expect(await swappedMeanwhile("lib/late.ts", '"../lib/late.ts"', { through: "link" })).toContain(
      "has changed since",
    );
  });

  test("so it is in an agent that lies in a node_modules folder", async () => {
    const name = "node_modules/agent";
    expect(await swappedMeanwhile("late.js", '"../late.js"', { name })).toContain("late.js has changed since");
  });

  test.each(["ts", "js", "jsx", "cjs", "cts"])(
    "code that trust did not find is refused, with the reason: hidden.%s",
    async (ending) => {
      const path = `lib/hidden.${ending}`;
      const warning = await swappedMeanwhile(path, `"../lib/" + "hidden.${ending}"`);
      expect(warning).toContain(`${path} is not covered by trust`);
    },
  );

  test("a link that is turned to code outside the directory is refused", async () => {
    using home = temporaryDirectory();
    const folder = join(home.path, "agent");
    writeFiles(home.path, { "agent/real.ts": "export const b = 1;\n", "outside/code.ts": evil(folder) });
    symlinkSync("real.ts", join(folder, "linked.ts"));
    const turn = `const { rmSync, symlinkSync } = require("node:fs");
      rmSync(${JSON.stringify(join(folder, "linked.ts"))});
      symlinkSync(["..", "outside", "code.ts"].join("/"), ${JSON.stringify(join(folder, "linked.ts"))});`;
    const module = `${turn}\nconst late = await import("../linked.ts");\n${says("late.b")}`;
    const bench = moduleBench(folder, { files: { "a.ts": module } });
    const loaded = await bench.load(trustedIn(folder, ["a.ts"]));
    expect(loaded.names).toStrictEqual([]);
    expect(bench.warnings[0]).toContain(`${join(folder, "linked.ts")} is not covered by trust`);
    expect(await Bun.file(join(folder, "mark")).exists()).toBe(false);
  });

  test("what is loaded already is not refused, nor are data and packages whose names are put together", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "data.json": '{"b":2}', "late.cjs": "exports.b = 1;\n" });
    writeFiles(folder.path, { "node_modules/pad/index.js": "exports.b = 3;\n" });
    const write = `require("node:fs").writeFileSync(${JSON.stringify(join(folder.path, "late.cjs"))}, "");`;
    const module = `const load = () => import("../late.cjs");
      const one = await load();
      ${write}
      const two = await load();
      const data = await import("../da" + "ta.json");
      const pad = await import("pa" + "d");
      ${says("[one.b, two.b, data.b, pad.b]")}`;
    const bench = moduleBench(folder.path, { files: { "a.ts": module } });
    const loaded = await bench.load(trustedIn(folder.path, ["a.ts"]));
    expect([bench.warnings, loaded.sections()]).toStrictEqual([[], ["[1,1,2,3]"]]);
  });
});

describe("of code that is compared", () => {
  /** The section of a module that imports a file, or the warning about it. */
  async function outcomeOf(name: string, text: string, value = "typeof all"): Promise<unknown> {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { [name]: text, "other.ts": "export const other = 1;\n" });
    const bench = moduleBench(folder.path, { files: { "a.ts": says(value, `import * as all from "../${name}";`) } });
    const loaded = await bench.load(trustedIn(folder.path, ["a.ts"]));
    return loaded.sections()[0] ?? bench.warnings[0];
  }

  test.each([
    ["a text", 'globalThis.zz = "exports.foo = 1";\n'],
    ["a template", "globalThis.zz = `module.exports = 1`;\n"],
    ["a comment", "// exports.foo = 1;\nglobalThis.zz = 1;\n"],
    [
      "a module in one line",
      '"use strict";import { other } from "./other.ts";globalThis.zz = [other, "exports.foo = 1"];',
    ],
    ["an empty export", "/* */ export {}; const exports = { a: 0 }; exports.a = 1;"],
  ])("%s does not make it CommonJS", async (_title, text) => {
    expect(await outcomeOf("code.ts", text)).toBe('"object"');
  });

  test.each([
    ["code.ts", "exports.foo = 1;"],
    ["code.ts", "export = 3;"],
    ["code.TS", "module.exports = 1;"],
    ["code.mts", 'import type { other } from "./other.ts"; exports.foo = 1;'],
  ])("%s with %s is refused as CommonJS", async (name, text) => {
    expect(await outcomeOf(name, text)).toContain(`${name} is CommonJS; give it the ending .cts or .cjs`);
  });

  test.each([
    ["text", 'import taken from "./other.ts" with { type: "text" }; export { taken };'],
    ["file", 'export const taken = await import("./other.ts", { with: { type: "file" } });'],
  ])("an import of code as %s is refused, with what to do", async (type, text) => {
    expect(await outcomeOf("code.ts", text)).toContain(
      `code.ts imports ./other.ts as ${type}, but what is code by its`,
    );
  });

  test("an import of other files as text is not", async () => {
    const text =
      'import all from "./code.ts" with { type: "ts" }; import taken from "./notes.sql" with { type: "text" };';
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "notes.sql": "select", "code.ts": "export default 1;" });
    const bench = moduleBench(folder.path, { files: { "a.ts": says("[all, taken]", text.replaceAll("./", "../")) } });
    const loaded = await bench.load(trustedIn(folder.path, ["a.ts"]));
    expect([loaded.sections(), bench.warnings]).toStrictEqual([['[1,"select"]'], []]);
  });
});

test("code that changed is loaded once it is trusted again", async () => {
  using folder = temporaryDirectory();
  const files = { "a.ts": says("b", 'import { b } from "../lib.ts";') };
  const bench = moduleBench(folder.path, { files });
  const seen: unknown[] = [];
  for (const b of [1, 2, 3]) {
    writeFileSync(join(folder.path, "lib.ts"), `export const b = ${b};\n`);
    const loaded = await bench.load(trustedIn(folder.path, ["a.ts"]));
    seen.push(loaded.sections());
    loaded.forget();
  }
  expect([seen, bench.warnings]).toStrictEqual([[["1"], ["2"], ["3"]], []]);
});

test("an error in code that is compared first has its place", async () => {
  using folder = temporaryDirectory();
  const bench = moduleBench(folder.path, { files: { "a.ts": "const a: number = 1;\nlet = = a;\n" } });
  await bench.load(trustedIn(folder.path, ["a.ts"]));
  expect(bench.warnings[0]).toContain("cannot be imported: line 2, column");
});
