import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { UserPermissions } from "@mdx-ai/loop";
import { deniedPaths, Permissions, protectedPaths } from "@mdx-ai/permissions";
import { writeFiles } from "../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { FolderListings } from "../../base/src/disk/folder-listings.ts";
import { type MountPlan, mountPlan } from "./mount-plan.ts";
import type { Mount } from "./mounts.ts";

/** The time at which a folder that has just changed counts as settled. */
const later = (): number => Date.now() + 3_100;

/** Milliseconds between two times of the file system's clock that differ, at the least. */
const TICK = 50;

interface PlanBench extends Disposable {
  readonly agentDir: string;
  readonly listings: FolderListings;
  readonly warnings: readonly string[];
  /** Makes a plan for the shell. */
  plan(): MountPlan;
}

function planBench(files: Readonly<Record<string, string>>, user: UserPermissions = {}): PlanBench {
  const home = temporaryDirectory();
  const agentDir = writeFiles(join(home.path, "agent"), { "agent.mdx": "", ...files });
  const folder = join(home.path, "run");
  mkdirSync(folder);
  const surroundings = { agentDir, cwd: agentDir, environment: { HOME: home.path } };
  const permissions = new Permissions({ ...surroundings, settings: undefined, user, now: () => 0 });
  const listings = new FolderListings(later);
  const warnings: string[] = [];
  const options = {
    ...surroundings,
    lists: protectedPaths(surroundings),
    policy: { mode: "required", network: "none", read: [], write: [] } as const,
    denied: () => ({ read: deniedPaths(permissions, "read"), write: deniedPaths(permissions, "write") }),
    toolHostCommand: [],
    onWarning: (warning: string) => void warnings.push(warning),
  };
  return {
    ...{ agentDir, listings, warnings },
    plan: () => mountPlan({ purpose: "shell" }, { options, agentDir, folder, listings }),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

const pathsOf = ({ shown }: MountPlan, kind: Mount["kind"]): readonly string[] =>
  [...shown].flatMap(([path, mount]) => (mount.kind === kind ? [path] : []));

describe("the plan of a sandbox", () => {
  test("reads each folder once for all searches, and the next one only changed folders", async () => {
    const user = { deny: ["read_file(**/*.key)", "write_file(**/*.lock)"] };
    using bench = planBench({ "one/.env": "", "two/a.key": "", "three/four/a": "", "five/a": "" }, user);
    const { agentDir, listings } = bench;
    const inAgent = (...paths: readonly string[]): readonly string[] => paths.map((path) => join(agentDir, path));
    await Bun.sleep(TICK);
    expect(pathsOf(bench.plan(), "stand-in")).toEqual(expect.arrayContaining([...inAgent("one/.env", "two/a.key")]));
    // The agent directory, skills, one, two, three, three/four and five.
    expect(listings.reads).toBe(7);
    writeFiles(agentDir, { "three/four/.env": "", "five/b.key": "" });
    const hidden = inAgent("one/.env", "two/a.key", "three/four/.env", "five/b.key");
    expect(pathsOf(bench.plan(), "stand-in")).toEqual(expect.arrayContaining([...hidden]));
    expect(listings.reads).toBe(9);
  });

  test("hides the folders of .env files that are too many to hide one by one, and says so", () => {
    const paths = Array.from({ length: 1_010 }, (_, index) => `${index}/.env`);
    using bench = planBench(Object.fromEntries(paths.map((path) => [path, ""])));
    const plan = bench.plan();
    const hidden = pathsOf(plan, "stand-in").filter((path) => path.endsWith("/.env"));
    const folders = pathsOf(plan, "hidden-folder").map((path) => join(path, ".env"));
    expect(hidden).toHaveLength(1_000);
    expect([...hidden, ...folders]).toEqual(expect.arrayContaining(paths.map((path) => join(bench.agentDir, path))));
    expect(bench.warnings).toEqual([expect.stringMatching(/^hidden from commands and tools: .* and 7 more, since /)]);
  });

  test("is none if those folders cannot be hidden", () => {
    const names = Array.from({ length: 1_010 }, (_, index) => `.env.${index}`);
    using bench = planBench(Object.fromEntries(names.map((name) => [name, ""])));
    expect(() => bench.plan()).toThrow("holds too many folders or .env files");
  });
});
