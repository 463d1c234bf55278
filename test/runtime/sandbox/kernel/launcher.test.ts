import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LEAST_LANDLOCK_ABI, landlockAbi } from "../../../../packages/runtime/src/sandbox/kernel/landlock.ts";
import { landlockLauncher } from "../../../../packages/runtime/src/sandbox/kernel/launcher.ts";
import { type KernelLayer, nativeArchitecture, runUnderLayer } from "../../../support/kernel-sandbox.ts";
import { requireProgram } from "../../../support/require-program.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

const abi = await landlockAbi();
const hasLandlock = abi >= LEAST_LANDLOCK_ABI;
const hasScopes = abi >= 6;

/** A folder `inside` that is granted, and one `outside` that is not; bubblewrap lets both be written. */
function twoFolders() {
  const folder = temporaryDirectory();
  const [inside, outside] = [join(folder.path, "inside"), join(folder.path, "outside")];
  for (const path of [inside, outside]) mkdirSync(path);
  const options = ["--bind", folder.path, folder.path, "--chdir", folder.path, "--tmpfs", "/var/tmp"];
  const paths = [inside, "/dev", "/proc", "/var/tmp"];
  return {
    ...{ folder: folder.path, inside, outside, paths },
    run: (script: string, layer: KernelLayer = {}) =>
      runUnderLayer(["/bin/bash", "-c", script], { options, landlock: { abi, paths }, ...layer }),
    runBare: (script: string) => runUnderLayer(["/bin/bash", "-c", script], { options }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe.skipIf(requireProgram("bwrap") || !hasLandlock)("a command that the launcher runs", () => {
  test("writes no FIFO of the host", async () => {
    using folders = twoFolders();
    const pipe = join(folders.outside, "pipe");
    // The host's side stays open for both, so that neither waits: `sh < pipe` would run what comes.
    const script = `mkfifo ${pipe}; exec 3<>${pipe}; read -r line; read -t 0 -u 3 && read -r came <&3; echo "$came"`;
    const host = (): Bun.Subprocess<"pipe", "pipe", "inherit"> =>
      Bun.spawn(["bash", "-c", script.replace("mkfifo", existsSync(pipe) ? ":" : "mkfifo")], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "inherit",
      });
    const attack = `until [ -p ${pipe} ]; do sleep 0.01; done; echo "touch owned" > ${pipe}`;
    for (const [run, came, complaint] of [
      [folders.runBare, "touch owned\n", ""],
      [folders.run, "\n", "Permission denied"],
    ] as const) {
      const child = host();
      const { stderr } = await run(attack);
      expect(stderr).toContain(complaint);
      child.stdin.end();
      expect([await new Response(child.stdout).text(), await child.exited]).toStrictEqual([came, 0]);
    }
  });

  test.each([
    "echo x > outside/new",
    "echo x >> outside/old",
    "truncate -s 0 outside/old",
    "rm outside/old",
    "mv outside/old inside/old",
    "ln outside/old outside/link",
    "ln -s x outside/link",
    "mkdir outside/folder",
    "rmdir outside/folder-of-old",
    "mkfifo outside/pipe",
    "mv inside/mine outside/",
    "ln inside/mine outside/",
    "(cd outside; exec bash -c 'echo x > new')",
    "setsid bash -c 'echo x > outside/new'",
    "ln -s ../outside inside/door; echo x > inside/door/new",
  ])("changes nothing outside, though it is mounted writable: %s", async (script) => {
    using folders = twoFolders();
    mkdirSync(join(folders.outside, "folder-of-old"));
    writeFileSync(join(folders.outside, "old"), "old");
    writeFileSync(join(folders.inside, "mine"), "mine");
    const before = Bun.spawnSync(["find", folders.outside]).stdout.toString();
    const { stderr, exitCode } = await folders.run(script);
    expect([exitCode, stderr]).toStrictEqual([1, expect.stringMatching(/Permission denied|cross-device link/)]);
    expect(Bun.spawnSync(["find", folders.outside]).stdout.toString()).toBe(before);
    expect(readFileSync(join(folders.outside, "old"), "utf8")).toBe("old");
  });

  test("changes what it was granted, and reads the rest", async () => {
    using folders = twoFolders();
    writeFileSync(join(folders.outside, "old"), "old\n");
    const { stdout, stderr, exitCode } = await folders.run(`set -e
      cat outside/old; cd inside
      echo new > file; mkdir -p a/b c; mv file a/b/; mv a/b c/; ln c/b/file d; ln -s d e; mkfifo pipe; : > d; rm d e pipe
      rmdir a; find . | sort; echo null > /dev/null; echo in /var/tmp > /var/tmp/file; cat /var/tmp/file
      echo 300 > /proc/self/oom_score_adj; cat <(echo a pipe)`);
    const found = [".", "./c", "./c/b", "./c/b/file"];
    const expected = ["old", ...found, "in /var/tmp", "a pipe"];
    expect([exitCode, stderr, stdout]).toStrictEqual([0, "", expected.map((line) => `${line}\n`).join("")]);
  });

  test("can be granted a single file", async () => {
    using folders = twoFolders();
    const [granted, other] = [join(folders.outside, "granted"), join(folders.outside, "other")];
    for (const path of [granted, other]) writeFileSync(path, "");
    const landlock = { abi, paths: [granted] };
    const { stderr } = await folders.run("echo one > outside/granted; echo two > outside/other", { landlock });
    expect([readFileSync(granted, "utf8"), readFileSync(other, "utf8")]).toStrictEqual(["one\n", ""]);
    expect(stderr).toContain("outside/other: Permission denied");
  });

  test("gets its arguments, variables, folder and input as they are, and its exit code is handed on", async () => {
    using folders = twoFolders();
    const command = ["/bin/sh", "-c", 'printf "%s|" "$@" "$KEPT" "$PWD"; exit 7', "sh", "--", "", "a b"];
    const options = ["--setenv", "KEPT", "variable", "--chdir", "/usr"];
    const result = await runUnderLayer(command, { options, landlock: { abi, paths: folders.paths.slice(1, 3) } });
    expect(result).toStrictEqual({ exitCode: 7, stdout: "--||a b|variable|/usr|", stderr: "" });
  });

  test("is under the filter, too, where bubblewrap applies it first", async () => {
    using folders = twoFolders();
    const script = `chmod u+s inside; grep -E '^Seccomp:' /proc/self/status; echo x > outside/new`;
    const { stdout, stderr } = await folders.run(script, { isFiltered: true });
    expect(stdout).toBe("Seccomp:\t2\n");
    expect(stderr).toMatch(/inside.*Operation not permitted\n.*outside\/new: Permission denied\n/);
  });

  test.each<[string, string[], string[], number]>([
    ["a path that is not there", ["/nowhere/at/all"], ["/bin/true"], 126],
    ["a command that is not there", ["/dev"], ["/nowhere/at/all"], 127],
    ["no command", ["/dev"], [], 127],
  ])("does not run with %s", async (_, paths, command, exitCode) => {
    expect(await runUnderLayer(command, { landlock: { abi, paths } })).toMatchObject({ exitCode, stdout: "" });
  });
});

/** Prints whether an abstract socket took the connection. */
const CONNECT = `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; print connect(S, pack_sockaddr_un("\\0$ARGV[0]")) ? "connected" : "$!";`;

describe.skipIf(requireProgram("bwrap") || requireProgram("perl") || !hasScopes)("where Landlock has scopes", () => {
  test("a command reaches no abstract socket of the host, in whose network it is", async () => {
    const name = `mdx-ai-test-${crypto.randomUUID()}`;
    using _server = Bun.listen({ unix: `\0${name}`, socket: { data: () => {} } });
    const command = ["/usr/bin/perl", "-e", CONNECT, name];
    const bare = await runUnderLayer(command, { sharesNetwork: true });
    const held = await runUnderLayer(command, { sharesNetwork: true, landlock: { abi, paths: ["/dev"] } });
    expect([bare.stdout, held.stdout]).toStrictEqual(["connected", "Operation not permitted"]);
  });

  test("a command signals no process outside", async () => {
    using folder = temporaryDirectory();
    const launcher = join(folder.path, "launcher");
    writeFileSync(launcher, landlockLauncher(nativeArchitecture(), abi), { mode: 0o700 });
    const script = `kill -0 ${process.pid} || echo refused; kill -0 $$ && echo itself`;
    const command = ["setpriv", "--no-new-privs", launcher, "/dev", "--", "/bin/bash", "-c", script];
    const { stdout, exitCode } = Bun.spawnSync(command, { stderr: "pipe" });
    expect([exitCode, stdout.toString()]).toStrictEqual([0, "refused\nitself\n"]);
  });
});

test("the launcher is small, and an executable for its architecture", () => {
  const launchers = (["x64", "arm64"] as const).map((architecture) => landlockLauncher(architecture, 7));
  expect(launchers.map((file) => [file.length, file[18]])).toStrictEqual([
    [299, 62],
    [360, 183],
  ]);
});

/** Few machines that test this run arm64: these bytes did what the tests above say on Linux 6.1 for arm64. A change needs that again. */
test("the launcher for arm64 is the one that was tried there", () => {
  const digest = new Bun.CryptoHasher("sha256").update(landlockLauncher("arm64", 2)).digest("hex");
  expect(digest).toBe("3dca326865c5d2035181ee084221aff41984a4b364e0e69bf449ee4caab8c25d");
});
