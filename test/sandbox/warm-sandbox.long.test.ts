import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { protectedPaths } from "@mdx-ai/permissions";
import { Sandbox } from "@mdx-ai/sandbox";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { eventually, untilExists } from "../support/eventually.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench, type SandboxBench } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** The processes of this process that hold sandboxes, by their numbers. */
function holders(): readonly number[] {
  const text = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  const children = text.trim().split(" ").map(Number);
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("echo $$ && read"));
}

const folderOf = async (bench: SandboxBench): Promise<string> => (await bench.bash("readlink /proc/self/ns/mnt")).text;

describe.skipIf(requireProgram("bwrap"))("a command of the shell", () => {
  test("finds what an earlier one left in /tmp, /var/tmp and /dev/shm, and no process of it", async () => {
    await using bench = openSandboxBench();
    await bench.bash(
      "for f in /tmp /var/tmp /dev/shm; do echo kept > $f/of-the-first; done; setsid sleep 1000 & disown",
    );
    const { text } = await bench.bash(
      "cat /tmp/of-the-first /var/tmp/of-the-first /dev/shm/of-the-first; pgrep -c sleep",
    );
    expect(text).toBe("kept\nkept\nkept\n0\n[exit code 1]");
  });

  test("sees no process of one beside it, and signals none", async () => {
    await using bench = openSandboxBench();
    const beside = bench.bash("echo $$ > /tmp/number; touch begun; sleep 0.5; echo unharmed");
    await untilExists(join(bench.directory, "begun"));
    const { text } = await bench.bash("ps -A -o args | grep -c '[s]leep 0.5'; kill -9 -1");
    expect(text).toStartWith("0\n");
    expect(await beside).toEqual({ text: "unharmed\n", isError: false });
  });

  test("gets its variables unchanged, without the sandbox's and including odd names", async () => {
    const environment = { QUOTED: `it's "so"\n$(echo no) \\`, "odd.name": "kept", EMPTY: "" };
    await using bench = openSandboxBench({ environment });
    const { text } = await bench.bash(`env -0 | tr '\\0' '|' | tr '\\n' '~'`);
    const shown = Object.entries(environment).map(([name, value]) => `${name}=${value.replaceAll("\n", "~")}`);
    expect(text.split("|")).toEqual(expect.arrayContaining(shown));
    expect(text).not.toContain("MDX_AI");
  });

  test.each([
    ["contains a null character", "echo \0", "the command contains a null character"],
    ["is longer than the system allows", `: ${"x".repeat(140_000)}`, "the command is too long"],
  ])("that %s does not begin", async (_, command, complaint) => {
    await using bench = openSandboxBench();
    expect((await bench.bash(command)).text).toContain(complaint);
    expect(await bench.bash("echo next")).toEqual({ text: "next\n", isError: false });
  });

  test("runs in a new sandbox if a process outside has replaced a file that it protects", async () => {
    await using bench = openSandboxBench();
    await bench.bash(":");
    writeFileSync(join(bench.directory, "agent.mdx.new"), "edited");
    renameSync(join(bench.directory, "agent.mdx.new"), join(bench.directory, "agent.mdx"));
    const { text } = await bench.bash("cat agent.mdx; echo hostile > agent.mdx");
    expect(text).toContain("edited");
    expect(text).toContain("Read-only file system");
    expect(readFileSync(join(bench.directory, "agent.mdx"), "utf8")).toBe("edited");
  });

  test("runs in a new sandbox if a process outside has removed a file that it protects and made it again, maybe with its number", async () => {
    await using bench = openSandboxBench();
    await bench.bash(":");
    rmSync(join(bench.directory, "agent.mdx"));
    writeFileSync(join(bench.directory, "agent.mdx"), "edited");
    const { text } = await bench.bash("cat agent.mdx; echo hostile > agent.mdx");
    expect(text).toContain("edited");
    expect(text).toContain("Read-only file system");
    expect(readFileSync(join(bench.directory, "agent.mdx"), "utf8")).toBe("edited");
  });

  test("runs though bubblewrap fails once, as when a file is replaced while it is mounted", async () => {
    using programs = temporaryDirectory();
    const fails = join(programs.path, "fails");
    const complaint = "bwrap: Unable to mount source on destination: No such file or directory";
    writeFileSync(
      join(programs.path, "bwrap"),
      `#!/bin/sh\nif rm "${fails}" 2>/dev/null; then echo "${complaint}" >&2; exit 1; fi\nexec ${Bun.which("bwrap")} "$@"\n`,
      { mode: 0o755 },
    );
    await using bench = openSandboxBench({ path: [programs.path] });
    await bench.bash(":");
    writeFileSync(fails, "");
    expect(await bench.tool("return 'done';")).toEqual({ text: "done", isError: false });
    expect(existsSync(fails)).toBe(false);
  });

  test("runs though the processes that hold its sandbox were killed", async () => {
    await using bench = openSandboxBench();
    await bench.bash("echo first");
    const held = holders();
    expect(held).not.toBeEmpty();
    for (const pid of held) process.kill(pid, "SIGKILL");
    await eventually(() => holders().every((pid) => !held.includes(pid)));
    expect(await bench.bash("echo second")).toEqual({ text: "second\n", isError: false });
  });
});

describe.skipIf(requireProgram("bwrap"))("a command whose shell cannot start in its sandbox", () => {
  /** A bubblewrap that fails in the sandbox `times` times, after the first command. */
  async function failing(times: number) {
    const bench = openSandboxBench({ mode: "auto", path: ["bin"], files: { "data/failures": "" } });
    const program = join(bench.home, "bin/bwrap");
    const failures = join(bench.directory, "data/failures");
    const script = [
      "#!/bin/sh",
      `if [ -s ${failures} ]; then`,
      `  sed -i 1d ${failures}; echo "bwrap: no such mount" >&2; exit 1`,
      "fi",
      `exec ${Bun.which("bwrap")} "$@"`,
    ].join("\n");
    await Bun.write(program, script);
    chmodSync(program, 0o755);
    expect(await bench.bash("echo first")).toEqual({ text: "first\n", isError: false });
    // With the placeholders, the shell that waited for the next command is gone.
    await eventually(() => !existsSync(join(bench.directory, ".git")));
    writeFileSync(failures, "one\n".repeat(times));
    return bench;
  }

  test("is started once more", async () => {
    await using bench = await failing(1);
    expect(await bench.bash("echo second")).toEqual({ text: "second\n", isError: false });
  });

  test("fails with the reason, and does not run", async () => {
    await using bench = await failing(9);
    expect(await bench.bash("touch ran; exit 0")).toEqual({
      text: "the shell did not start: bwrap: no such mount",
      isError: true,
    });
    expect(existsSync(join(bench.directory, "ran"))).toBe(false);
  });
});

describe.skipIf(requireProgram("bwrap"))("what the kernel denies:", () => {
  test.skipIf(requireProgram("python3"))("a socket of the host is not reached by any of its names", async () => {
    await using bench = openSandboxBench();
    const path = join(bench.directory, "mux.sock");
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    renameSync(path, `${path}.renamed`);
    const { text } = await bench.bash(
      `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("mux.sock.renamed"); print(s.recv(9))' 2>&1`,
    );
    server.close();
    expect(text).toContain("Address family not supported");
  });

  test("no file keeps a setuid or setgid bit", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash(
      "cp /bin/true t; chmod u+s t; chmod g+s t; install -m 4755 t i; stat -c %a t i 2>&1",
    );
    expect(text).toContain("Operation not permitted");
    expect(text).not.toMatch(/^[246]\d{3}$/m);
  });
});

test.skipIf(requireProgram("bwrap"))(
  "tools and the shell share what is nobody's way, but not their mounts",
  async () => {
    await using bench = openSandboxBench();
    await bench.bash("echo from the shell > /var/tmp/shared");
    const { text } = await bench.tool(
      'return require("node:fs").readFileSync("/var/tmp/shared", "utf8") + require("node:fs").readlinkSync("/proc/self/ns/mnt");',
    );
    expect(text).toStartWith("from the shell\nmnt:");
    expect(text).not.toContain((await folderOf(bench)).trim());
  },
);

describe.skipIf(requireProgram("bwrap"))("what a command does to its folders", () => {
  test("is not run instead of the sandbox's programs", async () => {
    using folder = temporaryDirectory();
    const bin = join(folder.path, ".local/bin");
    mkdirSync(bin, { recursive: true });
    for (const name of ["bwrap", "nsenter"]) cpSync(Bun.which(name) ?? "", join(bin, name));
    const environment = { HOME: folder.path, PATH: `${bin}:${process.env["PATH"]}` };
    await using bench = openSandboxBench({ environment });
    const planted = `#!/bin/sh\necho planted > ${bench.directory}/planted\nexec ${Bun.which("bwrap")} "$@"\n`;
    await bench.bash(
      `cd ~; mv .local old; mv .local/bin .local/old; mkdir -p .local/bin; printf %s '${planted}' > .local/bin/bwrap; chmod +x .local/bin/bwrap`,
    );
    const { text } = await bench.bash(
      "sleep 0.1; grep -c 'Seccomp:\t2' /proc/self/status; [ -d ~/.local/bin ] && echo held",
    );
    expect(text).toBe("1\nheld\n");
    expect(existsSync(join(bench.directory, "planted"))).toBe(false);
  });

  test("does not make later commands run without a sandbox, however much is to be hidden", async () => {
    await using bench = openSandboxBench({ mode: "auto", files: { "sub/.env": "secret" } });
    await bench.bash("mkdir $(seq -f 'd%0200.0f' 320) && for d in d*; do : > $d/.env; done");
    expect((await bench.bash("cat sub/.env; grep -c 'Seccomp:\t2' /proc/self/status")).text).toStartWith(
      "1\n[the sandbox hides ",
    );
    const { agentDir, ...rest } = { agentDir: bench.directory, cwd: bench.directory, environment: process.env };
    const policy = { mode: "auto", network: "none", read: [], write: [] } as const;
    const again = new Sandbox({
      ...{ agentDir, ...rest, policy, toolHostCommand: toolHostCommand() },
      lists: () => protectedPaths({ environment: process.env }),
    });
    expect(await again.state()).toMatchObject({ contained: true });
    await again.close();
  });

  test("does not cut the network of a command beside nine others, each of which needs a separate sandbox", async () => {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("reached") });
    await using bench = openSandboxBench({ network: [`127.0.0.1:${server.port}`] });
    const beside = bench.bash(`touch begun; until [ -e go ]; do sleep 0.05; done; curl -s ${server.url}`, 60);
    await untilExists(join(bench.directory, "begun"));
    for (let number = 0; number < 9; number += 1) {
      mkdirSync(join(bench.directory, `n${number}`));
      writeFileSync(join(bench.directory, `n${number}/.env`), "");
      await bench.bash(":");
    }
    writeFileSync(join(bench.directory, "go"), "");
    expect(await beside).toEqual({ text: "reached", isError: false });
  });
});

test.skipIf(requireProgram("bwrap"))(
  "variables that shells keep to themselves reach the command all the same",
  async () => {
    const environment = { UID: "7", OPTIND: "zzz", PPID: "3" };
    await using bench = openSandboxBench({ environment });
    const { text } = await bench.bash("tr '\\0' '\\n' < /proc/$$/environ | grep -E '^(UID|OPTIND|PPID)=' | sort");
    expect(text).toBe("OPTIND=zzz\nPPID=3\nUID=7\n");
  },
);
