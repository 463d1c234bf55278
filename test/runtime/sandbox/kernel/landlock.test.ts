import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { landlockAbi, landlockRights } from "../../../../packages/runtime/src/sandbox/kernel/landlock.ts";
import { landlockLauncher } from "../../../../packages/runtime/src/sandbox/kernel/launcher.ts";
import { nativeArchitecture } from "../../../support/kernel-sandbox.ts";
import { requireFile, requireProgram } from "../../../support/require-program.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

const HEADER = "/usr/include/linux/landlock.h";

const SOURCE = join(import.meta.dir, "../../../../packages/runtime/src/sandbox/kernel/landlock.ts");

/** A seccomp filter that answers `landlock_create_ruleset` as a kernel without Landlock does, with ENOSYS. */
const WITHOUT_LANDLOCK = Uint8Array.fromHex(
  ["20 00 00 00 00 00 00 00", "15 00 00 01 bc 01 00 00", "06 00 00 00 26 00 05 00", "06 00 00 00 00 00 ff 7f"]
    .join("")
    .replaceAll(" ", ""),
);

/** Runs a command on this machine as if its kernel had no Landlock; the folder is shown to it. */
async function withoutLandlock(
  command: readonly string[],
  folder: string,
): Promise<[exitCode: number, stdout: string]> {
  const filter = join(folder, "without-landlock");
  writeFileSync(filter, WITHOUT_LANDLOCK);
  const descriptor = openSync(filter, "r");
  try {
    const child = Bun.spawn(["bwrap", "--ro-bind", "/", "/", "--seccomp", "3", "--", ...command], {
      stdio: ["ignore", "pipe", "inherit", descriptor],
    });
    const stdout = await new Response(child.stdout).text();
    return [await child.exited, stdout];
  } finally {
    closeSync(descriptor);
  }
}

describe.skipIf(requireProgram("bwrap"))("where the kernel has no Landlock", () => {
  test("its version is 0", async () => {
    using folder = temporaryDirectory();
    const script = `import { landlockAbi } from ${JSON.stringify(SOURCE)}; console.log(await landlockAbi());`;
    expect(await withoutLandlock([process.execPath, "-e", script], folder.path)).toStrictEqual([0, "0\n"]);
  });

  test("the launcher runs nothing", async () => {
    using folder = temporaryDirectory();
    const launcher = join(folder.path, "launcher");
    writeFileSync(launcher, landlockLauncher(nativeArchitecture(), 2), { mode: 0o700 });
    const command = [launcher, "/dev", "--", "/bin/echo", "run"];
    expect(await withoutLandlock(command, folder.path)).toStrictEqual([126, ""]);
  });
});

test("the version is the same at every call", async () => {
  const abi = await landlockAbi();
  expect([await landlockAbi(), Number.isInteger(abi), abi >= 0]).toStrictEqual([abi, true, true]);
});

describe("the rights", () => {
  test.each([
    [2, { handled: 0x3ff2, folder: 0x3ff2, file: 0x0002, scoped: 0 }],
    [3, { handled: 0x7ff2, folder: 0x7ff2, file: 0x4002, scoped: 0 }],
    [5, { handled: 0x7ff2, folder: 0x7ff2, file: 0x4002, scoped: 0 }],
    [6, { handled: 0x7ff2, folder: 0x7ff2, file: 0x4002, scoped: 3 }],
    [99, { handled: 0x7ff2, folder: 0x7ff2, file: 0x4002, scoped: 3 }],
  ])("of version %p", (abi, rights) => {
    expect(landlockRights(abi)).toStrictEqual(rights);
  });

  test.skipIf(requireFile(HEADER, "linux-libc-dev"))("are all that the kernel's header has for changing files", () => {
    const text = readFileSync(HEADER, "utf8");
    const defined = [...text.matchAll(/^#define LANDLOCK_ACCESS_FS_(\w+)\s+\(1ULL << (\d+)\)$/gm)];
    const changing = defined.filter(([, name = ""]) => !/^(?:EXECUTE|READ_\w+|IOCTL_DEV|TRUNCATE)$/.test(name));
    expect(changing.reduce((bits, [, , bit]) => bits | (1 << Number(bit)), 0)).toBe(landlockRights(2).handled);
  });
});
