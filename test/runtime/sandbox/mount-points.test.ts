import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MountPoints } from "../../../packages/runtime/src/sandbox/mount-points.ts";
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
});
