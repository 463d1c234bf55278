import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const LAUNCHER = join(import.meta.dir, "../../packages/cli/bin/mdx-ai");
/** Neither Node nor Bun. */
const PATH = "/usr/bin:/bin";

const platform = `${process.platform}-${process.arch}`;

interface LauncherRun {
  readonly launcher: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string;
}

function start({ launcher, args, cwd, input = "" }: LauncherRun): Bun.Subprocess<Blob, "pipe", "pipe"> {
  return Bun.spawn([launcher, ...args], {
    cwd,
    env: { PATH, HOME: cwd },
    stdio: [new Blob([input]), "pipe", "pipe"],
  });
}

async function result(child: Bun.Subprocess<Blob, "pipe", "pipe">): Promise<object> {
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode, signal: child.signalCode };
}

/** The launcher as it is after an installation, beside an executable that is a shell script here. */
function installation(home: TemporaryDirectory, script: string | undefined): string {
  const launcher = join(home.path, "node_modules/mdx-ai/bin/mdx-ai");
  mkdirSync(dirname(launcher), { recursive: true });
  copyFileSync(LAUNCHER, launcher);
  if (script === undefined) return launcher;
  const path = `node_modules/@mdx-ai/${platform}`;
  writeFiles(home.path, {
    [`${path}/bin/mdx-ai`]: `#!/bin/sh\n${script}\n`,
    [`${path}/package.json`]: `{"name":"@mdx-ai/${platform}","version":"0.0.0"}`,
  });
  chmodSync(join(home.path, path, "bin/mdx-ai"), 0o755);
  return launcher;
}

describe("the launcher", () => {
  test("runs the source in a clone, from any current folder", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "bunfig.toml": 'preload = ["./preload.ts"]\n',
      "preload.ts": "console.log('preloaded');\n",
    });
    const child = start({ launcher: LAUNCHER, args: ["agent", "a b", "--prompt", "x"], cwd: home.path });
    expect(await result(child)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("a b") });
  });

  test("hands arguments, standard streams and the exit code through", async () => {
    using home = temporaryDirectory();
    const launcher = installation(home, 'printf "<%s>" "$@"; cat; echo problem >&2; exit 7');
    const child = start({ launcher, args: ["a b", "", "--x='\"$HOME"], cwd: home.path, input: "piped" });
    expect(await result(child)).toEqual({
      stdout: "<a b><><--x='\"$HOME>piped",
      stderr: "problem\n",
      exitCode: 7,
      signal: null,
    });
  });

  test.skipIf(process.platform !== "linux")(
    "names the C library that the system lacks, and has Bun run the program if it is there",
    async () => {
      using home = temporaryDirectory();
      const launcher = installation(home, "echo started");
      const text = readFileSync(LAUNCHER, "utf8").replace(/=\/lib(?:64)?\/ld-linux/g, "=/nowhere/ld-linux");
      writeFileSync(launcher, text);
      expect(await result(start({ launcher, args: [], cwd: home.path }))).toMatchObject({
        ...{ stdout: "", exitCode: 1 },
        stderr: expect.stringMatching(
          /^mdx-ai: the executable needs glibc \(\/nowhere\/ld-linux.*\), .*; install Bun, .*\n$/,
        ),
      });
      writeFiles(home.path, { "bin/bun": "#!/bin/sh\necho bun runs it\n" });
      chmodSync(join(home.path, "bin/bun"), 0o755);
      const child = Bun.spawn([launcher], {
        ...{ cwd: home.path, env: { PATH: `${join(home.path, "bin")}:${PATH}`, HOME: home.path } },
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(await child.stdout.text()).toBe("bun runs it\n");
    },
  );

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("hands %s through and waits for the end", async (signal) => {
    using home = temporaryDirectory();
    const launcher = installation(
      home,
      `trap 'echo caught; exit 42' ${signal.slice(3)}; touch ready; for i in $(seq 600); do sleep 0.05; done`,
    );
    const child = start({ launcher, args: [], cwd: home.path });
    await untilExists(join(home.path, "ready"));
    child.kill(signal);
    expect(await result(child)).toMatchObject({ stdout: "caught\n", exitCode: 42 });
  });

  test("dies by the signal that its child died by", async () => {
    using home = temporaryDirectory();
    const child = start({ launcher: installation(home, "kill -KILL $$"), args: [], cwd: home.path });
    expect(await result(child)).toMatchObject({ signal: "SIGKILL" });
  });

  test("names what is missing if there is neither an executable nor Bun", async () => {
    using home = temporaryDirectory();
    const child = start({ launcher: installation(home, undefined), args: [], cwd: home.path });
    expect(await result(child)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(platform) });
  });

  test("starts through links, from any folder", async () => {
    using home = temporaryDirectory();
    const launcher = installation(home, 'printf "%s" "$1"');
    mkdirSync(join(home.path, "bin/inner"), { recursive: true });
    symlinkSync(launcher, join(home.path, "bin/inner/mdx-ai"));
    symlinkSync("inner/mdx-ai", join(home.path, "bin/mdx-ai"));
    const child = start({ launcher: join(home.path, "bin/mdx-ai"), args: ["x"], cwd: home.path });
    expect(await result(child)).toMatchObject({ stdout: "x", exitCode: 0 });
  });
});
