import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MountPoints } from "../../../packages/runtime/src/sandbox/mount-points.ts";
import { eventually } from "../../support/eventually.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

interface Bench extends AsyncDisposable {
  readonly agentDir: string;
  /** Where sandboxes know of each other. */
  readonly folder: string;
  readonly mountPoints: MountPoints;
}

function openBench(): Bench {
  const directory: TemporaryDirectory = temporaryDirectory();
  const agentDir = join(directory.path, "agent");
  const folder = join(directory.path, "run");
  mkdirSync(agentDir);
  mkdirSync(folder, { mode: 0o700 });
  const mountPoints = new MountPoints({ agentDir, folder });
  return {
    ...{ agentDir, folder, mountPoints },
    [Symbol.asyncDispose]: async () => {
      await mountPoints.close();
      directory[Symbol.dispose]();
    },
  };
}

describe("places to mount upon", () => {
  test("stand until the last who holds them lets them go, and no longer", async () => {
    await using bench = openBench();
    const [one, other] = [bench.mountPoints.hold(), bench.mountPoints.hold()];
    one();
    one();
    expect(existsSync(join(bench.agentDir, "modules"))).toBe(true);
    other();
    expect(readdirSync(bench.agentDir)).toStrictEqual([]);
    expect(readdirSync(bench.folder)).toStrictEqual([]);
  });

  test("come and go where a cleaner of temporary files took away the folder in which their holders are noted", async () => {
    await using bench = openBench();
    const release = bench.mountPoints.hold();
    rmSync(bench.folder, { recursive: true });
    release();
    expect(readdirSync(bench.agentDir)).toStrictEqual([]);
    rmSync(bench.folder, { recursive: true });
    bench.mountPoints.hold()();
    expect(readdirSync(bench.agentDir)).toStrictEqual([]);
  });

  test("are not made where others could say who holds them, and letting go never throws", async () => {
    await using bench = openBench();
    const release = bench.mountPoints.hold();
    chmodSync(bench.folder, 0o777);
    expect(() => bench.mountPoints.hold()).toThrow("is not, or not only, the user's own");
    expect(release).not.toThrow();
  });

  test("are noted under a name that every version of the program finds: the SHA-256 of the directory's path", async () => {
    await using bench = openBench();
    const release = bench.mountPoints.hold();
    const [marker = ""] = readdirSync(bench.folder);
    expect(marker).toStartWith(`${createHash("sha256").update(bench.agentDir).digest("hex")}.held-${process.pid}-`);
    release();
  });

  test("that a killed program held are removed under the lock, and the lock of another process is not freed", async () => {
    await using bench = openBench();
    const source = join(import.meta.dir, "../../../packages/runtime/src/sandbox/mount-points.ts");
    const script = `import { MountPoints } from ${JSON.stringify(source)};
      new MountPoints(${JSON.stringify({ agentDir: bench.agentDir, folder: bench.folder })}).hold();
      console.log("held");
      await new Promise(() => {});`;
    const program = Bun.spawn([process.execPath, "--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const _ of program.stdout) break;
    const [marker = ""] = readdirSync(bench.folder);
    const lock = join(bench.folder, `${marker.replace(/\.held-.*/, "")}.lock`);
    const holder = join(lock, "of-another-process");
    mkdirSync(lock);
    writeFileSync(holder, "");
    program.kill("SIGKILL");
    await Bun.sleep(500);
    expect(existsSync(holder)).toBe(true);
    expect(existsSync(join(bench.agentDir, "modules"))).toBe(true);
    rmSync(lock, { recursive: true });
    await eventually(() => readdirSync(bench.agentDir).length === 0 && readdirSync(bench.folder).length === 0);
  });
});
