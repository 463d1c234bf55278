import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { AbsenceMarkers } from "../../../packages/runtime/src/sandbox/absence-markers.ts";
import { removeStale } from "../../../packages/runtime/src/sandbox/stale-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** The number of a process that has ended. */
const dead = async (): Promise<number> => {
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  return ended.pid;
};

/** As a process of this number leaves them when it is killed: drafts, a socket and a lock that it held. Returns their names. */
function leave(folder: string, pid: number): readonly string[] {
  const hash = new Bun.CryptoHasher("sha256").update(String(pid)).digest("hex");
  const maker = `${pid}-${crypto.randomUUID()}`;
  const [lock, draft, ...files] = [`${hash}.lock`, `${hash}.lock.${maker}`, `${maker}.tmp`, `${maker}.sock`];
  for (const name of [lock, draft]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, maker), "");
  }
  for (const name of files) writeFileSync(join(folder, name), "");
  return [lock, draft, ...files];
}

test("what a killed process left is removed, and what a running one uses stays", async () => {
  using folder = temporaryDirectory();
  const [lock = ""] = leave(folder.path, await dead());
  const [holder = ""] = readdirSync(join(folder.path, lock));
  utimesSync(join(folder.path, lock, holder), 0, 0);
  const kept = [...leave(folder.path, process.pid), "empty", "private"];
  for (const name of ["empty", "private"]) writeFileSync(join(folder.path, name), "");
  removeStale(folder.path);
  expect(readdirSync(folder.path).toSorted()).toEqual(kept.toSorted());
});

/** A marker as a process leaves it that is killed while it runs commands; its path. */
async function leaveMarker(folder: string, agentDir: string): Promise<string> {
  const source = join(import.meta.dir, "../../../packages/runtime/src/sandbox/absence-markers.ts");
  const script = `import { AbsenceMarkers } from ${JSON.stringify(source)};
    const markers = new AbsenceMarkers(${JSON.stringify(agentDir)}, ${JSON.stringify(folder)});
    markers.write(${JSON.stringify(folder)}, ["modules", "lib.ts"]);
    console.log(markers.own);`;
  const child = Bun.spawn([process.execPath, "--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
  return basename((await child.stdout.text()).trim());
}

test("a marker of a killed process stays until what its commands created is set aside", async () => {
  using folder = temporaryDirectory();
  using agent = temporaryDirectory();
  const marker = await leaveMarker(folder.path, agent.path);
  new AbsenceMarkers(agent.path, folder.path).write(folder.path, ["modules"]);
  expect(readdirSync(folder.path)).toHaveLength(2);
  writeFileSync(join(agent.path, "lib.ts"), "");
  removeStale(folder.path);
  expect(readdirSync(folder.path)).toContain(marker);
  rmSync(join(agent.path, "lib.ts"));
  removeStale(folder.path);
  // That of this process.
  expect(readdirSync(folder.path)).toHaveLength(1);
  expect(readdirSync(folder.path)).not.toContain(marker);
});

test("a marker of an agent directory that is gone is removed", async () => {
  using folder = temporaryDirectory();
  const agent = temporaryDirectory();
  await leaveMarker(folder.path, agent.path);
  agent[Symbol.dispose]();
  removeStale(folder.path);
  expect(readdirSync(folder.path)).toEqual([]);
});
