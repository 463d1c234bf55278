import { describe, expect, test } from "bun:test";
import { readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrustedImports } from "@mdx-ai/sandbox/imports";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { moduleBench, moduleText } from "../../../../test/support/module-bench.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { ImportGraph } from "./import-graph.ts";

/** What trust covers of the modules of a directory now. */
function trustedIn(directory: string, modules: readonly string[]): TrustedImports {
  const graph = new ImportGraph({ read: (path) => readFileSync(path), root: realpathSync(directory) });
  for (const module of modules) graph.addFile(join(directory, "modules", module));
  const hashes = graph.files;
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

  test.each(swaps)("are refused if $title is swapped after trust", async ({ swap, named }) => {
    using folder = temporaryDirectory();
    writeAgent(folder.path);
    const bench = moduleBench(folder.path, { files: { "a.ts": says(SHOWN, IMPORTS) } });
    const trusted = trustedIn(folder.path, ["a.ts"]);
    swap(folder.path);
    const loaded = await bench.load(trusted);
    expect(loaded.live).toStrictEqual([]);
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
    expect(loaded.live).toStrictEqual([]);
    expect(bench.warnings[0]).toContain(`${join(folder.path, named)} was not there when the agent was trusted`);
    expect(await Bun.file(join(folder.path, "mark")).exists()).toBe(false);
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

test("an error in code that is compared has its place", async () => {
  using folder = temporaryDirectory();
  const bench = moduleBench(folder.path, { files: { "a.ts": "const a: number = 1;\nlet = = a;\n" } });
  await bench.load(trustedIn(folder.path, ["a.ts"]));
  expect(bench.warnings[0]).toContain("cannot be imported: line 2, column");
});
