import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bundleInputs } from "../../scripts/build-library.ts";
import { packageFolders, readPackage } from "../../scripts/licenses/bundled-packages.ts";
import { bundledPackages, noticesText } from "../../scripts/licenses/third-party-notices.ts";
import { writeFiles } from "../support/agent-files.ts";
import { cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const UNPUBLISHED = new Map([["known", "Copyright K"]]);

describe("a bundled package", () => {
  const accepted: readonly [string, Record<string, string>, string][] = [
    ["a licence file", { "package.json": '{"license": "MIT"}', "license.md": "Copyright A\n" }, "Copyright A"],
    [
      "a NOTICE",
      { "package.json": '{"license": "Apache-2.0"}', LICENSE: "Apache", NOTICE: "Of B", "licenses.json": "{}" },
      "Apache\n\nOf B",
    ],
    ["a list of licences", { "package.json": '{"licenses": [{"type": "ISC"}]}', COPYING: "C" }, "C"],
    ["a text that is known", { "package.json": '{"name": "known", "license": "MIT"}' }, "Copyright K"],
  ];

  test.each(accepted)("with %s is accepted", async (_title, files, text) => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, files);
    expect(await readPackage(folder.path, UNPUBLISHED)).toMatchObject({ text });
  });

  const refused: readonly [string, Record<string, string>, string][] = [
    [
      "no licence",
      { "package.json": '{"name": "a"}', LICENSE: "A" },
      "a is bundled, and its licence is not permissive: none.",
    ],
    [
      "a licence that is not permissive",
      { "package.json": '{"name": "a", "license": "GPL-3.0"}', LICENSE: "GPL" },
      "a is bundled, and its licence is not permissive: GPL-3.0.",
    ],
    ["no text", { "package.json": '{"name": "a", "license": "MIT"}' }, "a is bundled, and its licence has no text."],
    [
      "an empty text",
      { "package.json": '{"name": "a", "license": "MIT"}', LICENSE: "\n" },
      "a is bundled, and its licence has no text.",
    ],
  ];

  test.each(refused)("with %s fails the build", async (_title, files, message) => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, files);
    expect(readPackage(folder.path, UNPUBLISHED)).rejects.toThrow(message);
  });
});

test("the innermost package of a path counts, once", () => {
  const inputs = [
    "a/b.ts",
    "node_modules/.bun/x@1/node_modules/@s/x/lib/i.js",
    "../node_modules/y/i.js",
    "node_modules/.bun/x@1/node_modules/@s/x/j.js",
  ];
  expect(packageFolders(inputs, "/r/f")).toEqual(["/r/f/node_modules/.bun/x@1/node_modules/@s/x", "/r/node_modules/y"]);
});

test("a text of several packages is there once, below their names", () => {
  const of = (name: string, text: string) => ({ name, version: "1", license: "MIT", text });
  const text = noticesText([of("a", "T"), of("b", "U"), of("c", "T")]);
  expect(text).toEndWith(`${"-".repeat(80)}\na 1 (MIT)\nc 1 (MIT)\n\nT\n\n${"-".repeat(80)}\nb 1 (MIT)\n\nU\n`);
});

test("everything that is bundled has a permissive licence with its text", async () => {
  const names = new Set((await bundledPackages()).map(({ name }) => name));
  const folders = packageFolders(await bundleInputs(), process.cwd());
  const bundled = await Promise.all(folders.map((folder) => Bun.file(join(folder, "package.json")).json()));
  expect(bundled.filter(({ name }) => !names.has(name))).toEqual([]);
  expect([...names]).toEqual(expect.arrayContaining(["micromark", "zod", "@grpc/grpc-js", "@earendil-works/pi-ai"]));
});

test("mdx-ai licenses says in a clone where licences are", async () => {
  using folder = temporaryDirectory();
  const main = join(import.meta.dir, "../../packages/cli/src/main.ts");
  await using child = Bun.spawn([process.execPath, main, "licenses"], {
    ...{ cwd: folder.path, env: cliEnvironment({ home: folder.path }), stdout: "pipe" },
  });
  expect(await child.stdout.text()).toContain("each package in node_modules has its own licence");
  expect(await child.exited).toBe(0);
});
