import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { ImportGraph } from "./import-graph.ts";

type Files = Readonly<Record<string, string>>;

interface Import {
  readonly title: string;
  readonly specifier: string;
  /** The files that are there, each empty or with a text. */
  readonly files: Files;
  /** The file with the import; default main.ts. */
  readonly from?: string;
  /** Paths at which something is then made. */
  readonly intruders: readonly string[];
  /** Some of those that take the place of what is imported. */
  readonly taken: readonly string[];
}

/** Those that Bun tries, and those that another version of it may try. */
const ENDINGS = ["tsx", "jsx", "ts", "mts", "cts", "mjs", "js", "cjs", "json", "node", "wasm", "toml", "yaml", "txt"];
const MORE_ENDINGS = ["yml", "jsonc", "json5", "md", "mdx", "html", "css", "d.ts", "es6", "svelte", "vue", "sh", "xml"];

const variants = (path: string): readonly string[] => [
  path,
  ...[...ENDINGS, ...MORE_ENDINGS].flatMap((ending) => [`${path}.${ending}`, `${path}/index.${ending}`]),
];
const twins = (stem: string): readonly string[] => ENDINGS.map((ending) => `${stem}.${ending}`);

const MAIN = '{"main": "./evil.ts"}';

const imports: readonly Import[] = [
  {
    title: "a folder",
    specifier: "./lib",
    files: { "lib/index.ts": "" },
    intruders: variants("lib"),
    taken: ["lib.tsx", "lib.jsx", "lib.ts", "lib.mjs", "lib.js", "lib.cjs", "lib.json", "lib/index.tsx"],
  },
  {
    title: "a folder that names its main file without an ending",
    specifier: "./lib",
    files: { "lib/package.json": '{"main": "start"}', "lib/start.js": "", "lib/index.ts": "" },
    intruders: [...variants("lib"), ...variants("lib/start")],
    taken: ["lib.ts", "lib/start"],
  },
  {
    title: "a file without its ending",
    specifier: "./x",
    files: { "x.js": "" },
    intruders: variants("x"),
    taken: ["x", "x.ts"],
  },
  {
    title: "a file by the name that TypeScript wants written",
    specifier: "./x.js",
    files: { "x.mts": "" },
    intruders: [...variants("x.js"), ...twins("x")],
    taken: ["x.js", "x.js.ts", "x.ts", "x.tsx"],
  },
  {
    title: "the same of a module",
    specifier: "./x.mjs",
    files: { "x.mts": "" },
    intruders: [...variants("x.mjs"), ...twins("x")],
    taken: ["x.mjs", "x.mjs.ts"],
  },
  {
    title: "a file that is not there",
    specifier: "./lib",
    files: {},
    intruders: variants("lib"),
    taken: ["lib.ts", "lib/index.js"],
  },
  {
    title: "a package from a folder below",
    specifier: "pad",
    files: { "node_modules/pad/index.js": "" },
    from: "a/b/main.ts",
    intruders: ["a/b/node_modules/pad/index.js", "a/node_modules/pad.ts", "b/node_modules/pad/index.js"],
    taken: ["a/b/node_modules/pad/index.js", "a/node_modules/pad.ts"],
  },
  {
    title: "a package that is not there",
    specifier: "@scope/pad/part",
    files: {},
    from: "a/main.ts",
    intruders: ["node_modules/@scope/pad/part.js", "a/node_modules/@scope/pad/part/index.ts"],
    taken: ["node_modules/@scope/pad/part.js", "a/node_modules/@scope/pad/part/index.ts"],
  },
];

/** What `import` and `require` find now. */
function found(folder: string, { specifier, from = "main.ts" }: Import): readonly (string | undefined)[] {
  const code = join(folder, from);
  const finders = [() => Bun.resolveSync(specifier, dirname(code)), () => createRequire(code).resolve(specifier)];
  return finders.map((find) => {
    try {
      return relative(folder, find());
    } catch {
      return undefined;
    }
  });
}

/** A new folder each time, since Bun remembers what a folder held. */
function foundWith(files: Files, one: Import): readonly (string | undefined)[] {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { [one.from ?? "main.ts"]: "", ...one.files, ...files });
  return found(folder.path, one);
}

function shadowsOf(one: Import): readonly string[] {
  using folder = temporaryDirectory();
  const { from = "main.ts", specifier, files } = one;
  writeFiles(folder.path, { [from]: `import ${JSON.stringify(specifier)};`, ...files });
  const graph = new ImportGraph({ read: (path) => readFileSync(path), root: folder.path });
  graph.addFile(join(folder.path, from));
  return [...graph.shadows].map((path) => relative(folder.path, path));
}

const isListed = (path: string, shadows: readonly string[]): boolean =>
  shadows.some((shadow) => path === shadow || path.startsWith(`${shadow}/`));

describe("where nothing is, and Bun would find a new file before what it finds now", () => {
  test.each(imports)("$title", (one) => {
    const shadows = shadowsOf(one);
    const before = foundWith({}, one);
    const intruders = one.intruders.filter((path) => !(path in one.files) && !isFolder(path, one.files));
    const taking = intruders.filter((path) => !Bun.deepEquals(foundWith({ [path]: "" }, one), before));
    expect(taking).toEqual(expect.arrayContaining([...one.taken]));
    expect(taking.filter((path) => !isListed(path, shadows))).toStrictEqual([]);
  });

  test("a package.json with a main file, in a folder that is imported", () => {
    const one: Import = { title: "", specifier: "./lib", files: { "lib/index.ts": "" }, intruders: [], taken: [] };
    const files = { "lib/package.json": MAIN, "lib/evil.ts": "" };
    expect(foundWith(files, one)).toStrictEqual(["lib/evil.ts", "lib/evil.ts"]);
    expect(shadowsOf(one)).toContain("lib/package.json");
  });

  test("a package.json that gives names a meaning, in every folder down to the code", () => {
    const one: Import = { title: "", specifier: "#x", files: {}, from: "a/b/main.ts", intruders: [], taken: [] };
    const files = { "a/package.json": '{"imports": {"#x": "./x.ts"}}', "a/x.ts": "" };
    expect(foundWith(files, one)).toStrictEqual(["a/x.ts", "a/x.ts"]);
    const described = ["package.json", "tsconfig.json", "jsconfig.json"];
    const expected = ["a", "a/b"].flatMap((folder) => described.map((name) => `${folder}/${name}`));
    expect(shadowsOf(one)).toEqual(expect.arrayContaining(expected));
  });

  test("and nothing for a file that is named exactly", () => {
    const one: Import = {
      title: "",
      specifier: "./x.js",
      files: { "x.js": "" },
      intruders: [...variants("x.js"), ...twins("x")],
      taken: [],
    };
    const before = foundWith({}, one);
    const intruders = one.intruders.filter((path) => path !== "x.js" && !path.startsWith("x.js/"));
    for (const path of intruders) expect(foundWith({ [path]: "" }, one)).toStrictEqual(before);
    expect(shadowsOf(one)).toStrictEqual([]);
  });
});

/** Whether files are in a folder of that name, or would be in a file that is there. */
const isFolder = (path: string, files: Files): boolean =>
  Object.keys(files).some((file) => file.startsWith(`${path}/`) || path.startsWith(`${file}/`));
