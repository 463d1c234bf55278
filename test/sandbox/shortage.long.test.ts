import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Runs a command where the folder that the user's sandboxes share holds a megabyte, and is full. */
const ON_A_FULL_DISK = `
folder=/tmp/mdx-ai-0
mkdir -p -m 700 $folder && mount -t tmpfs -o size=1m,mode=700 none $folder || exit
head -c 2000000 /dev/zero > $folder/full 2>/dev/null
TMPDIR=$folder exec "$@"
`;

const SCRIPT = `
import { rmSync } from "node:fs";
import { openSandboxBench } from ${JSON.stringify(join(import.meta.dir, "../support/sandbox-bench.ts"))};
const [home, path] = [process.argv[2], process.env.PATH];
process.env.TMPDIR = home;
await using bench = openSandboxBench({ mode: "auto" });
const { contained } = await bench.sandbox.state();
const answers = [await bench.bash("echo ran"), await bench.tool("return 'ran'")];
rmSync("/tmp/mdx-ai-0/full");
answers.push(await bench.bash("echo ran; grep Seccomp: /proc/self/status"));
console.log(JSON.stringify({ contained, answers, warnings: bench.warnings }));
`;

describe.skipIf(requireProgram("bwrap"))("where no sandbox can be made at the moment, nothing runs bare:", () => {
  test.skipIf(requireProgram("unshare"))("the disk is full", async () => {
    using folder = temporaryDirectory();
    const script = join(folder.path, "script.ts");
    await Bun.write(script, SCRIPT);
    const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
    const words = [
      "unshare",
      ...user,
      "--mount",
      "sh",
      "-c",
      ON_A_FULL_DISK,
      "sh",
      process.execPath,
      script,
      folder.path,
    ];
    const { stdout, stderr } = Bun.spawnSync(words);
    expect(stderr.toString()).toBe("");
    const { contained, answers, warnings } = JSON.parse(stdout.toString());
    expect(contained).toBe(true);
    expect(warnings).toEqual([]);
    const failed = { isError: true, text: expect.stringContaining("the disk is full") };
    expect(answers).toEqual([failed, failed, { isError: false, text: "ran\nSeccomp:\t2\n" }]);
  });

  test("the system is too busy to start one", async () => {
    using folder = temporaryDirectory();
    const program = join(folder.path, "bin/bwrap");
    await Bun.write(program, "#!/bin/sh\nexec sleep 60\n");
    chmodSync(program, 0o755);
    await using bench = openSandboxBench({ mode: "auto", environment: { PATH: `${folder.path}/bin:/usr/bin:/bin` } });
    expect(await bench.sandbox.state()).toMatchObject({ contained: true });
    expect(await bench.bash("echo ran")).toEqual({
      isError: true,
      text: expect.stringContaining("the sandbox did not start within 10 seconds"),
    });
  });
});
