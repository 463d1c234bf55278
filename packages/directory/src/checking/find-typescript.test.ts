import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { findTypeScript } from "./compiler.ts";

const PLATFORM = `@typescript/typescript-${process.platform}-${process.arch}`;

const packages = (folder: string): Readonly<Record<string, string>> => ({
  [`${folder}/typescript/package.json`]: "{}",
  [`${folder}/${PLATFORM}/lib/tsc`]: "",
});

describe("TypeScript is found", () => {
  test("in the folder or one above it, the nearest first, and the first place first", () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      ...packages("node_modules"),
      ...packages("a/node_modules"),
      "node_modules/@types/bun/package.json": "{}",
    });
    const find = (...places: string[]) => findTypeScript(places.map((place) => join(home.path, place)));
    const typesFolder = join(home.path, "node_modules/@types");
    const near = { compiler: join(home.path, `a/node_modules/${PLATFORM}/lib/tsc`), typesFolder };
    const far = { compiler: join(home.path, `node_modules/${PLATFORM}/lib/tsc`), typesFolder };
    expect(find("a/b")).toStrictEqual(near);
    expect(find("c")).toStrictEqual(far);
    expect(find("c", "a")).toStrictEqual(far);
  });

  test("where an installer links packages into a store", () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      ...packages("store/typescript/node_modules"),
      "node_modules/@types/bun/package.json": "{}",
    });
    symlinkSync("../store/typescript/node_modules/typescript", join(home.path, "node_modules/typescript"));
    expect(findTypeScript([home.path])?.compiler).toBe(
      join(home.path, `store/typescript/node_modules/${PLATFORM}/lib/tsc`),
    );
  });
});

describe("TypeScript is not found", () => {
  test("if there is none, or an older one without a program, or no types of Bun", () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "old/node_modules/typescript/package.json": "{}",
      "old/node_modules/typescript/lib/tsc.js": "",
      "old/node_modules/@types/bun/package.json": "{}",
      ...packages("untyped/node_modules"),
    });
    for (const place of ["none", "old", "untyped"]) expect(findTypeScript([join(home.path, place)])).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)("where another user put it", () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { ...packages("node_modules"), "node_modules/@types/bun/package.json": "{}" });
    const program = join(home.path, `node_modules/${PLATFORM}/lib/tsc`);
    chmodSync(program, 0o755);
    chownSync(program, 12345, 12345);
    expect(findTypeScript([home.path])).toBeUndefined();
  });
});
