import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { limitLine, processBound } from "./process-limits.ts";

describe("a command of an ordinary user", () => {
  const shells = ["/bin/sh", "/bin/dash", "/bin/bash"].filter(existsSync);

  test.skipIf(process.platform !== "linux").each(shells)("is bound to 512 processes by %s", (shell) => {
    const script = `${limitLine({ processes: 512 })}; exec grep "Max processes" /proc/self/limits`;
    const { stdout, stderr } = Bun.spawnSync([shell, "-c", script]);
    expect(stdout.toString()).toMatch(/^Max processes +512 +512 +processes *\n$/);
    expect(stderr.toString()).toBe("");
  });

  test.each(["4.19.0-6-amd64", "5.4.0-150-generic", "5.13.19", "unknown"])(
    "is not bound where kernel %s would count the user's other processes, too",
    (release) => {
      expect(processBound(release)).toBeUndefined();
    },
  );

  test.each(["5.14.0", "5.15.0-91-generic", "6.18.0-rc1", "10.0"])("is bound by kernel %s", (release) => {
    expect(processBound(release)).toBe(512);
  });
});
