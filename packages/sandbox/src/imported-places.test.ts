import { describe, expect, test } from "bun:test";
import { symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { importedPlaces } from "./narrowed-mounts.ts";

const code = (text: string, file?: string) => ({
  text,
  position: { line: 1, column: 1 },
  indent: 0,
  ...(file !== undefined && { file }),
});

/** The paths, relative to a folder, as absolute ones. */
const within = (folder: string, ...paths: readonly string[]): string[] => paths.map((path) => join(folder, path));

describe("the code of a tool needs", () => {
  test("the files that it imports, and those that these import", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "one.ts": 'export { two as one } from "./two.ts";',
      "two.ts": "export const two = 2;",
      "other.ts": "export const other = 3;",
    });
    const places = importedPlaces(
      code('import { one } from "./one.ts"; export const execute = () => one;'),
      folder.path,
    );
    expect(places).toStrictEqual(within(folder.path, "one.ts", "two.ts"));
  });

  test("its own file, and what decides where imports lead, but no file of a package", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "tools/far.ts": "",
      "near.ts": "",
      "package.json": "{}",
      "node_modules/pad/index.js": "",
    });
    const text = 'import "../near.ts"; import "pad"; import "../node_modules/pad/index.js";';
    const places = importedPlaces(code(text, "tools/far.ts"), folder.path);
    expect(places).toStrictEqual(within(folder.path, "tools/far.ts", "near.ts", "node_modules", "package.json"));
  });

  test("files that it imports by a name of tsconfig.json", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "tsconfig.json": '{"compilerOptions": {"paths": {"#near": ["./near.ts"]}}}',
      "near.ts": "",
    });
    const places = importedPlaces(code('import "#near";'), folder.path);
    expect(places).toStrictEqual(within(folder.path, "near.ts", "tsconfig.json"));
  });

  test("a file that came after another was found in its place", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "one/index.ts": "" });
    expect(importedPlaces(code('import "./one";'), folder.path)).toStrictEqual(within(folder.path, "one/index.ts"));
    writeFiles(folder.path, { "one.ts": "" });
    expect(importedPlaces(code('import "./one";'), folder.path)).toContain(join(folder.path, "one.ts"));
  });

  test("nothing outside of the agent directory, nor what only its texts name", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "agent/worker.ts": "", "secret.ts": "" });
    symlinkSync("../secret.ts", join(folder.path, "agent/link.ts"));
    const text = 'import "../secret.ts"; import "./link.ts"; new Worker("./worker.ts");';
    expect(importedPlaces(code(text), join(folder.path, "agent"))).toStrictEqual([]);
  });

  test("no pipe, which may have no writer, and no file too large for code", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "large.ts": "" });
    truncateSync(join(folder.path, "large.ts"), 1024 ** 3);
    expect(Bun.spawnSync(["mkfifo", join(folder.path, "pipe.ts")]).exitCode).toBe(0);
    expect(importedPlaces(code('import "./pipe.ts"; import "./large.ts";'), folder.path)).toStrictEqual([]);
  });
});
