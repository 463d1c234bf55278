import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { removeStale } from "./stale-files.ts";

/** The number of a process that has ended. */
const dead = async (): Promise<number> => {
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  return ended.pid;
};

/** As a process of this number leaves them when it is killed: a draft, a socket, certificates, and a list of placeholders. Returns their names. */
function leave(folder: string, pid: number, placeholders: readonly string[]): readonly string[] {
  const maker = `${pid}-${crypto.randomUUID()}`;
  const files = [`${maker}.tmp`, `${maker}.sock`, `${maker}.pem`];
  for (const name of files) writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, `${maker}.placeholders`), ["", ...placeholders].map((path) => `${path}\0`).join(""));
  return [...files, `${maker}.placeholders`];
}

test("what a killed process left is removed with its placeholders, and what a running one uses stays", async () => {
  using folder = temporaryDirectory();
  using agent = temporaryDirectory();
  const at = (name: string): string => join(agent.path, name);
  for (const name of ["alone", "shared", "filled"]) mkdirSync(at(name));
  writeFileSync(at("filled/of-the-user"), "1");
  leave(folder.path, await dead(), [at("alone"), at("shared"), at("filled"), at("gone")]);
  const kept = [...leave(folder.path, process.pid, [at("shared")]), "empty", "private"];
  for (const name of ["empty", "private"]) writeFileSync(join(folder.path, name), "");
  removeStale(folder.path);
  expect(readdirSync(folder.path).toSorted()).toEqual(kept.toSorted());
  expect(readdirSync(agent.path).toSorted()).toEqual(["filled", "shared"]);
});
