import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AbsentPaths } from "../../../packages/runtime/src/sandbox/absent-paths.ts";
import { writeText } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openSandboxBench } from "../../support/sandbox-bench.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

interface Bench extends AsyncDisposable {
  readonly agentDir: string;
  /** Where sandboxes know of each other. */
  readonly folder: string;
  readonly absentPaths: AbsentPaths;
  /** What was set aside, by paths without the folder of each time. */
  aside(): readonly string[];
}

function openBench(definingFiles: readonly string[] = [], dataDir?: string): Bench {
  const directory: TemporaryDirectory = temporaryDirectory();
  const agentDir = join(directory.path, "agent");
  const folder = join(directory.path, "run");
  mkdirSync(agentDir);
  mkdirSync(folder, { mode: 0o700 });
  const absentPaths = new AbsentPaths({ environment: {}, agentDir, folder, definingFiles, dataDir });
  return {
    ...{ agentDir, folder, absentPaths },
    aside: () =>
      readdirSync(absentPaths.asideDir, { recursive: true })
        .map((path) => String(path).split("/").slice(1).join("/"))
        .filter((path) => path !== "")
        .toSorted(),
    [Symbol.asyncDispose]: async () => {
      await absentPaths.close();
      directory[Symbol.dispose]();
    },
  };
}

/** Whether a folder is on another file system than temporary folders. */
const isElsewhere = (folder: string): boolean => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev;

describe("absent paths that define an agent", () => {
  test("are set aside with all that is in them when they came into being, and others stay", async () => {
    await using bench = openBench();
    const held = bench.absentPaths.hold();
    expect(held.settle()).toBe("");
    for (const path of ["modules/a.ts", ".git/config", "AGENT.md", "out/modules/b.ts"]) {
      writeText(join(bench.agentDir, path), "text");
    }
    expect(held.settle()).toMatch(
      /^\[the sandbox moved AGENT\.md, modules, \.git to state\/set-aside\/[^/]+: commands must not create files that define or record .*\]$/,
    );
    expect(held.settle()).toBe("");
    held.release();
    expect(readdirSync(bench.agentDir).toSorted()).toStrictEqual(["logs", "out", "sessions", "state"]);
    expect(bench.aside()).toStrictEqual([".git", ".git/config", "AGENT.md", "modules", "modules/a.ts"]);
  });

  test("stay if they existed before, whatever is created in them", async () => {
    await using bench = openBench();
    writeText(join(bench.agentDir, "modules/a.ts"), "text");
    const held = bench.absentPaths.hold();
    writeText(join(bench.agentDir, "modules/b.ts"), "the user's");
    expect(held.settle()).toBe("");
    held.release();
    expect(readdirSync(join(bench.agentDir, "modules")).toSorted()).toStrictEqual(["a.ts", "b.ts"]);
  });

  test("that are links are moved as links, also on the way to a path, and nothing is touched behind them", async () => {
    await using bench = openBench(["deep/lib/x.ts"]);
    const held = bench.absentPaths.hold();
    writeText(join(bench.folder, "victim/lib/x.ts"), "the user's");
    symlinkSync(join(bench.folder, "victim"), join(bench.agentDir, "deep"));
    symlinkSync(join(bench.folder, "victim"), join(bench.agentDir, "modules"));
    symlinkSync("nowhere", join(bench.agentDir, "heartbeat.md"));
    expect(held.settle()).toContain("moved heartbeat.md, modules, deep to ");
    held.release();
    expect(readdirSync(bench.agentDir).toSorted()).toStrictEqual(["logs", "sessions", "state"]);
    expect(readFileSync(join(bench.folder, "victim/lib/x.ts"), "utf8")).toBe("the user's");
  });

  test.skipIf(!isElsewhere("/dev/shm"))("are copied whole if the data is on another file system", async () => {
    using data = temporaryDirectory("/dev/shm");
    await using bench = openBench([], data.path);
    const held = bench.absentPaths.hold();
    writeText(join(bench.agentDir, "modules/a.ts"), "text");
    writeText(join(bench.agentDir, "state/memory.json"), "hostile");
    writeText(join(bench.agentDir, "state/task.md"), "its own");
    symlinkSync("/nowhere", join(bench.agentDir, "modules/link"));
    expect(Bun.spawnSync(["mkfifo", join(bench.agentDir, "modules/pipe")]).exitCode).toBe(0);
    expect(held.settle()).toContain(`moved modules, state/memory.json to ${data.path}/state/set-aside/`);
    held.release();
    expect(readdirSync(bench.agentDir, { recursive: true }).toSorted()).toStrictEqual(["state", "state/task.md"]);
    expect(bench.aside()).toStrictEqual([
      "modules",
      "modules/a.ts",
      "modules/link",
      "modules/pipe",
      "state",
      "state/memory.json",
    ]);
  });

  test.each(["a name", "-n", "$(touch x)", 'quo"te', "new\nline", "*", "[", ""])(
    "are set aside with a folder called %j",
    async (name) => {
      await using bench = openBench([`in ${name}/x.ts`, `${name}y.ts`]);
      const held = bench.absentPaths.hold();
      const paths = [`in ${name}/x.ts`, `${name}y.ts`];
      for (const path of paths) writeText(join(bench.agentDir, path), "text");
      expect(held.settle()).toContain("the sandbox moved ");
      held.release();
      expect(paths.filter((path) => existsSync(join(bench.agentDir, path)))).toStrictEqual([]);
    },
  );

  test("keep what was there before them: the newest twenty folders", async () => {
    await using bench = openBench();
    const held = bench.absentPaths.hold();
    const old = ["2020-01-01T00-00-00-aaaaaa", "2020-01-01T00-00-01-aaaaaa"];
    for (const name of old) writeText(join(bench.absentPaths.asideDir, name, "modules/a.ts"), "old");
    for (let count = 0; count < 19; count += 1) {
      writeText(join(bench.agentDir, "HEAD"), String(count));
      held.settle();
    }
    expect(readdirSync(bench.absentPaths.asideDir).toSorted()[0]).toBe(old[1]);
    writeText(join(bench.agentDir, "HEAD"), "the last");
    held.settle();
    held.release();
    const folders = readdirSync(bench.absentPaths.asideDir);
    expect(folders).toHaveLength(20);
    expect(old.filter((name) => folders.includes(name))).toStrictEqual([]);
  });

  test("are reported by every command that ran, and to the user if nobody asks any more", async () => {
    using directory = temporaryDirectory();
    const moved: string[] = [];
    mkdirSync(join(directory.path, "run"), { mode: 0o700 });
    const folder = join(directory.path, "run");
    const absentPaths = new AbsentPaths({
      environment: {},
      agentDir: directory.path,
      folder,
      onMoved: (line) => moved.push(line),
    });
    const [one, other] = [absentPaths.hold(), absentPaths.hold()];
    writeText(join(directory.path, "HEAD"), "text");
    expect(one.settle()).toContain("moved HEAD");
    one.release();
    other.release();
    other.release();
    expect(moved).toStrictEqual([expect.stringMatching(/^the sandbox moved HEAD to .*ask the user$/)]);
    expect(readdirSync(folder)).toStrictEqual([]);
    await absentPaths.close();
  });

  test("are noted and set aside although a cleaner of temporary files removed the folder of the notes", async () => {
    await using bench = openBench();
    const held = bench.absentPaths.hold();
    rmSync(bench.folder, { recursive: true });
    writeText(join(bench.agentDir, "HEAD"), "text");
    expect(held.settle()).toContain("moved HEAD");
    held.release();
    rmSync(bench.folder, { recursive: true });
    bench.absentPaths.hold().release();
    expect(readdirSync(bench.folder)).toStrictEqual([]);
  });

  test("are not noted where others could change the notes, and a release never throws", async () => {
    await using bench = openBench();
    const held = bench.absentPaths.hold();
    chmodSync(bench.folder, 0o777);
    expect(() => bench.absentPaths.hold()).toThrow("is not, or not only, the user's own");
    expect(held.release).not.toThrow();
  });

  test("are noted under a name that every version of the program finds: the SHA-256 of the directory's path", async () => {
    await using bench = openBench();
    const held = bench.absentPaths.hold();
    const [marker = ""] = readdirSync(bench.folder);
    expect(marker).toStartWith(`${createHash("sha256").update(bench.agentDir).digest("hex")}.held-${process.pid}-`);
    held.release();
  });

  test("that a killed program held are set aside under the lock, and the lock of another process is not freed", async () => {
    await using bench = openBench();
    const source = join(import.meta.dir, "../../../packages/runtime/src/sandbox/absent-paths.ts");
    const script = `import { AbsentPaths } from ${JSON.stringify(source)};
      new AbsentPaths(${JSON.stringify({ agentDir: bench.agentDir, folder: bench.folder, environment: {} })}).hold();
      console.log("held");
      await new Promise(() => {});`;
    const program = Bun.spawn([process.execPath, "--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const _ of program.stdout) break;
    writeText(join(bench.agentDir, "modules/a b.ts"), "text");
    const [marker = ""] = readdirSync(bench.folder);
    const lock = join(bench.folder, `${marker.replace(/\.held-.*/, "")}.lock`);
    const holder = join(lock, "of-another-process");
    mkdirSync(lock);
    writeFileSync(holder, "");
    program.kill("SIGKILL");
    await Bun.sleep(500);
    expect([existsSync(holder), existsSync(join(bench.agentDir, "modules"))]).toStrictEqual([true, true]);
    rmSync(lock, { recursive: true });
    await eventually(() => readdirSync(bench.folder).length === 0);
    expect(readdirSync(bench.agentDir).toSorted()).toStrictEqual(["logs", "sessions", "state"]);
    expect(bench.aside()).toStrictEqual(["modules", "modules/a b.ts"]);
  });
});

describe.skipIf(requireProgram("bwrap"))("a process of a tool", () => {
  test("cannot keep what it creates between two calls", async () => {
    await using bench = openSandboxBench({ idleMilliseconds: 300 });
    const body = `globalThis.timer ??= setInterval(() => { try { require("node:fs").writeFileSync(ctx.agentDir + "/HEAD", "x"); } catch {} }, 20); return "done"`;
    // On a busy machine the timer is quicker than the answer, which then says what was set aside.
    expect(await bench.tool(body)).toMatchObject({ text: expect.stringMatching(/^done/) });
    await eventually(() => existsSync(join(bench.directory, "HEAD")));
    await eventually(() => bench.moved.length > 0);
    expect(bench.moved[0]).toStartWith("the sandbox moved HEAD to state/set-aside/");
    expect(existsSync(join(bench.directory, "HEAD"))).toBe(false);
  });

  test("that keeps no data has what it creates set aside outside of the agent directory", async () => {
    await using bench = openSandboxBench({ keeps: "nothing" });
    const { text } = await bench.bash("mkdir -p state; echo hostile > state/memory.json; echo 1 > state/task.md");
    const [, folder = ""] = /moved state\/memory\.json to (\/.*?): /.exec(text) ?? [];
    expect(readFileSync(join(folder, "state/memory.json"), "utf8")).toBe("hostile\n");
    expect(readdirSync(join(bench.directory, "state"))).toStrictEqual(["task.md"]);
    rmSync(join(folder, ".."), { recursive: true });
  });
});
