import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { checkPaths } from "./read-file.ts";

test("files and folders of the right kind are accepted, and so are paths where nothing is yet", () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, "folder");
  const file = join(directory.path, "file");
  checkPaths({ folders: [folder], files: [file] });
  mkdirSync(folder);
  writeFileSync(file, "");
  checkPaths({ folders: [folder], files: [file] });
});

test("anything else is named, with what to do", () => {
  using directory = temporaryDirectory();
  const at = (name: string): string => join(directory.path, name);
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "");
  symlinkSync(at("folder"), at("link"));
  Bun.spawnSync(["mkfifo", at("pipe")]);
  const folder = (name: string) => (): void => checkPaths({ folders: [at(name)], files: [] });
  const file = (name: string) => (): void => checkPaths({ folders: [], files: [at(name)] });
  expect(folder("file")).toThrow(`${at("file")} is a file where a folder should be; move it away, then try again`);
  expect(file("folder")).toThrow(`${at("folder")} is a folder where a file should be; move it away, then try again`);
  expect(file("pipe")).toThrow(`${at("pipe")} is a pipe, a device or the like where a file should be;`);
  expect(folder("link")).toThrow(`${at("link")} is a symbolic link, which is not followed`);
  expect(file("link")).toThrow(`${at("link")} is a symbolic link, which is not followed`);
});
