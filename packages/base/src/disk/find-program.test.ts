import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { findProgram } from "@mdx-ai/base/disk";
import { writeText } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { findUnused } from "./find-program.ts";

function writeProgram(path: string): void {
  writeText(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
}

test("is found on the first absolute entry that neither lies nor leads into the folders", () => {
  using folder = temporaryDirectory();
  const [agent, system] = [join(folder.path, "agent"), join(folder.path, "system")];
  for (const path of [join(agent, "bin/contain"), join(system, "contain")]) writeProgram(path);
  symlinkSync(join(agent, "bin"), join(folder.path, "entry"));
  mkdirSync(join(folder.path, "links"));
  symlinkSync(join(agent, "bin/contain"), join(folder.path, "links/contain"));
  const find = (...entries: readonly string[]): string | undefined =>
    findProgram("contain", { environment: { PATH: entries.join(":") }, outside: [agent] });
  const inside = [
    agent,
    `${agent}/bin`,
    `${system}/../agent/bin`,
    `${folder.path}/entry`,
    `${folder.path}/links`,
    "",
    ".",
    relative(process.cwd(), system),
  ];
  expect(find(...inside, system, agent)).toBe(join(system, "contain"));
  for (const entry of inside) expect(find(entry)).toBeUndefined();
});

test("is not found in the current folder, which may be the whole file system", () => {
  using folder = temporaryDirectory();
  writeProgram(join(folder.path, "bin/contain"));
  const code = `import { findProgram } from ${JSON.stringify(join(import.meta.dir, "find-program.ts"))};
    console.log(findProgram("contain", { environment: { PATH: ${JSON.stringify(join(folder.path, "bin"))} }, outside: [] }) ?? "none");`;
  const from = (cwd: string): string =>
    Bun.spawnSync([process.execPath, "-e", code], { cwd, env: {} }).stdout.toString().trim();
  expect([from(folder.path), from("/")]).toStrictEqual(["none", join(folder.path, "bin/contain")]);
});

test("is found in the current folder if only root can change it, but not in a folder of the agent", () => {
  const search = { environment: { PATH: "/usr/bin" }, cwd: "/usr" };
  expect(findProgram("env", { ...search, outside: [] })).toBe("/usr/bin/env");
  expect(findProgram("env", { ...search, outside: ["/usr"] })).toBeUndefined();
  expect(findUnused("env", { ...search, outside: ["/usr"] })).toStrictEqual({ path: "/usr/bin/env", folder: "/usr" });
});
