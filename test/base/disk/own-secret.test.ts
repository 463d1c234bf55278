import { expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSecret, readSecret, SharedFileError } from "@mdx-ai/base/disk";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a secret is made once, for its owner alone, and nothing else is left in its folder", () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "kept/secret");
  expect(readSecret(file)).toBeUndefined();
  const secret = makeSecret(file);
  expect(secret).toMatch(/^[\da-f]{64}$/);
  expect(readSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(directory.path, "kept"))).toEqual(["secret"]);
});

test.each([
  ["is torn", (file: string) => truncateSync(file, 20)],
  ["is longer", (file: string) => writeFileSync(file, `${"0".repeat(64)}00\n`)],
  ["others can read", (file: string) => chmodSync(file, 0o644)],
])("a secret that %s is none, and is replaced", (_, spoil) => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "secret");
  const secret = makeSecret(file);
  spoil(file);
  expect(readSecret(file)).toBeUndefined();
  const next = makeSecret(file);
  expect(next).not.toBe(secret);
  expect(readFileSync(file, "utf8")).toBe(`${next}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  ["file", (file: string) => file],
  ["folder", (file: string) => join(file, "..")],
])("a secret whose %s others can write is refused", (_, pathOf) => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "secret");
  makeSecret(file);
  chmodSync(pathOf(file), 0o777);
  expect(() => readSecret(file)).toThrow(SharedFileError);
});

test("a link in the place of a secret is not followed", () => {
  using directory = temporaryDirectory();
  const [file, link] = [join(directory.path, "secret"), join(directory.path, "link")];
  makeSecret(file);
  symlinkSync(file, link);
  expect(() => readSecret(link)).toThrow("symbolic link");
});
