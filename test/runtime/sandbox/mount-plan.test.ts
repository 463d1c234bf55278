import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { FolderListings } from "../../../packages/runtime/src/files/folder-listings.ts";
import { deniedPaths } from "../../../packages/runtime/src/permissions/denied-paths.ts";
import { Permissions } from "../../../packages/runtime/src/permissions/permissions.ts";
import { mountPlan } from "../../../packages/runtime/src/sandbox/mount-plan.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Milliseconds after which a folder counts as settled. */
const SETTLING = 3_100;

test("a plan reads each folder once, whatever it searches it for, and the next one those that changed", async () => {
  using home = temporaryDirectory();
  const agentDir = writeFiles(join(home.path, "agent"), { "agent.mdx": "", "one/.env": "", "two/a.key": "" });
  for (const name of ["three/four", "five"]) mkdirSync(join(agentDir, name), { recursive: true });
  const surroundings = { agentDir, cwd: agentDir, environment: { HOME: home.path } };
  const user = { deny: ["read_file(**/*.key)", "write_file(**/*.lock)"] };
  mkdirSync(join(home.path, "run"));
  const permissions = new Permissions({ ...surroundings, settings: undefined, user, now: () => 0 });
  const denied = () => ({ read: deniedPaths(permissions, "read"), write: deniedPaths(permissions, "write") });
  const policy = { mode: "required", network: "none", read: [], write: [] } as const;
  const listings = new FolderListings();
  const options = { ...surroundings, policy, denied, toolHostCommand: [] };
  const shown = (): readonly string[] => {
    const plan = mountPlan({ purpose: "shell" }, { options, agentDir, folder: join(home.path, "run"), listings });
    return [...plan.shown].flatMap(([path, { kind }]) => (kind === "stand-in" ? [path] : [])).toSorted();
  };
  const hidden = [join(agentDir, "one/.env"), join(agentDir, "two/a.key")];
  await Bun.sleep(SETTLING);
  expect(shown()).toEqual(expect.arrayContaining(hidden));
  // The agent directory, skills, one, two, three, three/four and five.
  expect(listings.reads).toBe(7);
  writeFiles(agentDir, { "three/four/.env": "", "five/b.key": "" });
  expect(shown()).toEqual(
    expect.arrayContaining([...hidden, join(agentDir, "three/four/.env"), join(agentDir, "five/b.key")]),
  );
  expect(listings.reads).toBe(9);
}, 20_000);
