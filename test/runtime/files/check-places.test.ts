import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPlaces } from "../../../packages/runtime/src/files/check-places.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("files and folders in their places are all right, and so are places where nothing is yet", () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, "folder");
  const file = join(directory.path, "file");
  checkPlaces({ folders: [folder], files: [file] });
  mkdirSync(folder);
  writeFileSync(file, "");
  checkPlaces({ folders: [folder], files: [file] });
});

test("what else stands there is named, with what to do", () => {
  using directory = temporaryDirectory();
  const at = (name: string): string => join(directory.path, name);
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "");
  symlinkSync(at("folder"), at("link"));
  Bun.spawnSync(["mkfifo", at("pipe")]);
  const folder = (name: string) => (): void => checkPlaces({ folders: [at(name)], files: [] });
  const file = (name: string) => (): void => checkPlaces({ folders: [], files: [at(name)] });
  expect(folder("file")).toThrow(`${at("file")} is a file where a folder should be; move it away, then try again`);
  expect(file("folder")).toThrow(`${at("folder")} is a folder where a file should be; move it away, then try again`);
  expect(file("pipe")).toThrow(`${at("pipe")} is a pipe, a device or the like where a file should be;`);
  expect(folder("link")).toThrow(`${at("link")} is a symbolic link, which is not followed`);
  expect(file("link")).toThrow(`${at("link")} is a symbolic link, which is not followed`);
});
