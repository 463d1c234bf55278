import { describe, expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { ImportGraph, type ImportGraphOptions, isExecutable, packageOf } from "./import-graph.ts";

const read = (path: string): Uint8Array | undefined => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

/** What code in a folder imports, relative to it and sorted. */
function importsOf(folder: string, lines: readonly string[], options: Partial<ImportGraphOptions> = {}) {
  const graph = new ImportGraph({ read, ...options });
  const isImporting = graph.addCode(lines.join("\n"), join(folder, "agent.mdx"));
  const shown = (paths: Iterable<string>): readonly string[] => [...paths].map((path) => relative(folder, path)).sort();
  return {
    isImporting,
    files: shown(graph.files.keys()),
    paths: shown(graph.paths),
    shadows: shown(graph.shadows),
  };
}

describe("the graph of imports", () => {
  test("survives circles, broken code, and imports that lead nowhere", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "a.ts": 'import "./b.ts"; import "./agent.mdx";',
      "b.ts": 'import "./a.ts"; import "./broken.ts"; import "./loop.ts";',
      "broken.ts": 'import "./after.ts"; let = = ;',
      "after.ts": "",
    });
    symlinkSync("loop.ts", join(folder.path, "loop.ts"));
    const lines = ['import "./a.ts";', 'import "missing";', 'import "./missing";', 'import "file://%zz";'];
    const { files, isImporting } = importsOf(folder.path, lines);
    expect(files).toStrictEqual(["a.ts", "after.ts", "b.ts", "broken.ts"]);
    expect(isImporting).toBe(true);
  });

  test("follows a file with any name that is loaded as code", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "notes.txt": 'import "./hidden.ts";', "hidden.ts": "" });
    const { files } = importsOf(folder.path, ['import text from "./notes.txt" with { type: "ts" };', "text;"]);
    expect(files).toStrictEqual(["hidden.ts", "notes.txt"]);
  });

  test("has every file that an import may take, and the paths at which a new one would be taken instead", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "both.ts": "", "both/index.js": "" });
    const { files, shadows } = importsOf(folder.path, ['import "./both";']);
    expect(files).toStrictEqual(["both.ts", "both/index.js"]);
    expect(shadows).toEqual(expect.arrayContaining(["both.tsx", "both/index.ts"]));
    expect(shadows).not.toContain("both.ts");
  });

  test("finds a file that came after another was found in its place", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "one/index.ts": "" });
    expect(importsOf(folder.path, ['import "./one";']).files).toStrictEqual(["one/index.ts"]);
    writeFiles(folder.path, { "one.ts": "" });
    expect(importsOf(folder.path, ['import "./one";']).files).toStrictEqual(["one.ts", "one/index.ts"]);
  });

  test("reads a file once, at its real path, and keeps the paths that led to it", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "real.ts": "" });
    symlinkSync("real.ts", join(folder.path, "link.ts"));
    const { files, paths } = importsOf(folder.path, ['import "./link.ts";', 'import "./real.ts";']);
    expect(files).toStrictEqual(["real.ts"]);
    expect(paths).toStrictEqual(["link.ts", "real.ts"]);
  });

  test("has files that texts in the code name only where that is asked for", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "worker.ts": 'import "./deep.ts";',
      "deep.ts": "",
      "data.csv": "",
    });
    const lines = ['new Worker("./worker.ts"); read("./data.csv");'];
    expect(importsOf(folder.path, lines)).toMatchObject({ isImporting: false, files: [] });
    expect(importsOf(folder.path, lines, { root: folder.path })).toMatchObject({
      isImporting: true,
      files: ["deep.ts", "worker.ts"],
    });
  });

  test("has native libraries that texts in the code name", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "lib/a.so": "", "b.dylib": "", "c.dll": "", "d.node": "" });
    const lines = ['dlopen("./lib/a.so"); dlopen("b.dylib"); dlopen("c.dll"); load("d.node");'];
    const { files } = importsOf(folder.path, lines, { root: folder.path });
    expect(files).toStrictEqual(["b.dylib", "c.dll", "d.node", "lib/a.so"]);
  });
});

test("a file of a package is recognized by its folder", () => {
  const folder = join("/a", "node_modules", "@scope", "name");
  expect(packageOf(join(folder, "lib/x.js"))).toStrictEqual({ name: "@scope/name", folder, path: "lib/x.js" });
  expect(packageOf("/a/lib/x.js")).toBeUndefined();
});

test.each([
  ["run.SH", true],
  ["a.mts", true],
  ["a.node", true],
  ["a.so", true],
  ["a.dylib", true],
  ["a.DLL", true],
  ["a.csv", false],
])("%s has the name of code: %s", (name, expected) => {
  expect(isExecutable(name)).toBe(expected);
});
