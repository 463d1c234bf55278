import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A disk of some megabytes, which programs see that were started with its command. */
export interface SmallDisk extends Disposable {
  /** Where they see it. Absolute. */
  readonly path: string;
  /** Where this process sees it. Absolute. */
  readonly outside: string;
  /** Goes before the command of a program. */
  readonly command: readonly string[];
  /** Leaves no room. */
  fill(): void;
  /** Makes room again. */
  clear(): void;
}

const MOUNT = ["unshare", "--mount", "sh", "-c"];

/** Whether this machine lets the test mount a disk that no other program sees. */
export const canMount = (): boolean => {
  using place = temporaryDirectory();
  const mount = `mount -t tmpfs tmpfs '${place.path}' && nsenter --version`;
  return Bun.which("unshare") !== null && Bun.spawnSync([...MOUNT, mount]).exitCode === 0;
};

export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const place = temporaryDirectory();
  const script = `mount -t tmpfs -o size=${megabytes}m tmpfs '${place.path}' && echo mounted && exec sleep 600`;
  const holder = Bun.spawn([...MOUNT, script], { stdin: "ignore", stdout: "pipe" });
  await holder.stdout.getReader().read();
  const seen = `/proc/${holder.pid}/root${place.path}`;
  const filler = join(seen, "filler");
  return {
    path: place.path,
    outside: seen,
    command: ["nsenter", "--mount", "--target", String(holder.pid), "--"],
    fill: () => {
      const { bavail, bsize } = statfsSync(seen);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    clear: () => rmSync(filler),
    [Symbol.dispose]() {
      holder.kill("SIGKILL");
      place[Symbol.dispose]();
    },
  };
}
