import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { Reaper } from "@mdx-ai/mcp/reaper";
import { protectedPaths } from "@mdx-ai/permissions";
import { Sandbox, startBare } from "@mdx-ai/sandbox";
import { BackgroundCommands, builtinTools, executeTool } from "@mdx-ai/tools";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { eventually, untilExists } from "../support/eventually.ts";
import { noProcessesOf, processesOf } from "../support/remaining-processes.ts";
import { requireProgram } from "../support/require-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { textOf, toolContext } from "../support/tool-context.ts";

/** The tools of a session, with a sandbox or without one. */
function openBench(mode: "off" | "required") {
  const folder = temporaryDirectory();
  const environment = { PATH: process.env["PATH"], HOME: folder.path };
  const sandbox = new Sandbox({
    ...{ agentDir: folder.path, cwd: folder.path, environment, toolHostCommand: toolHostCommand() },
    policy: { mode, network: "none", read: [], write: [] },
    lists: () => protectedPaths({ environment, definingFiles: [] }),
  });
  const background = new BackgroundCommands();
  const tools = builtinTools({ environment, sandbox, background }, ["bash", "bash_output", "bash_stop"]);
  const run = async (name: string, args: JsonObject, sessionId = "main"): Promise<string> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    return textOf(await executeTool(tool, args, { ...toolContext(folder.path), sessionId }));
  };
  const start = async (command: string, args: JsonObject = {}, session = "main"): Promise<string> =>
    /as (\w{8}) until/.exec(await run("bash", { command, background: true, ...args }, session))?.[1] ?? "";
  return {
    ...{ folder: folder.path, background, run, start },
    [Symbol.asyncDispose]: async () => {
      await background.end();
      await sandbox.close();
      await noProcessesOf(folder.path);
      folder[Symbol.dispose]();
    },
  };
}

const modes = requireProgram("bwrap") ? (["off"] as const) : (["off", "required"] as const);

describe.each(modes)("a background command with the sandbox %s", (mode) => {
  test("runs on after its call, and its output is returned once", async () => {
    await using bench = openBench(mode);
    const id = await bench.start(
      "echo one; touch begun; until [ -e go ]; do sleep 0.02; done; printf '1%%\\r2%%\\n'; exit 3",
    );
    await untilExists(join(bench.folder, "begun"));
    expect(await bench.run("bash_output", { id, wait: 0.2 })).toBe("one\n[still running]");
    expect(bench.background.list("main")).toMatchObject([{ id, isRunning: true }]);
    // Other calls run beside it.
    expect(await bench.run("bash", { command: "touch go" })).toBe("[no output]");
    expect(await bench.run("bash_output", { id, wait: 20 })).toBe("2%\n[ended: exit code 3]");
    expect(await bench.run("bash_output", { id })).toBe("[ended: exit code 3]");
    expect(bench.background.list("main")).toMatchObject([{ id, isRunning: false }]);
  });

  test("that is a server answers later commands", async () => {
    await using bench = openBench(mode);
    const serve = `Bun.serve({ port: 0, fetch: () => new Response("served"), }); `;
    const script = `const server = ${serve} await Bun.write("port", String(server.port));`;
    await bench.start(`'${process.execPath}' -e '${script}'`);
    await untilExists(join(bench.folder, "port"));
    expect(await bench.run("bash", { command: "curl -s --noproxy '*' http://127.0.0.1:$(cat port)" })).toBe("served");
  });

  test("is ended by bash_stop, its time, or the end of its session, with all that it started", async () => {
    await using bench = openBench(mode);
    const stopped = await bench.start("echo begun; sleep 300 & sleep 301");
    await eventually(() => processesOf(bench.folder).some(({ command }) => command === "sleep 301"));
    expect(await bench.run("bash_stop", { id: stopped })).toBe("begun\n[stopped]");
    const late = await bench.start("sleep 300", { timeout: 0.3 });
    expect(await bench.run("bash_output", { id: late, wait: 20 })).toBe(
      "[ended: killed: it timed out after 0.3 seconds]",
    );
    await noProcessesOfCommands(bench.folder);
    const own = await bench.start("sleep 302");
    const other = await bench.start("sleep 303", {}, "other");
    expect(await bench.run("bash_output", { id: other })).toContain("is no background command of this process");
    await bench.background.end("main");
    expect(bench.background.list("main")).toEqual([]);
    expect(await bench.run("bash_output", { id: own })).toContain("One of an earlier process ended with the process.");
    expect(bench.background.list("other")).toMatchObject([{ isRunning: true }]);
  });
});

test.each([
  ["background", "background.start('main', shell, [])"],
  [
    "foreground",
    "builtinTools({ environment, background }, ['bash'])[0].execute({ command: shell.command }, { cwd: shell.cwd, signal: new AbortController().signal, update() {} })",
  ],
])("a %s command without a sandbox ends with its process, however that ends", async (_kind, start) => {
  using folder = temporaryDirectory();
  const modules = ["background-commands.ts", "builtin-tools.ts"].map((name) =>
    JSON.stringify(join(import.meta.dir, "../../packages/tools/src", name)),
  );
  const script = `
const { BackgroundCommands } = await import(${modules[0]});
const { builtinTools } = await import(${modules[1]});
const environment = { PATH: process.env.PATH };
const background = new BackgroundCommands();
const shell = { command: "sleep 305 & sleep 306", cwd: ${JSON.stringify(folder.path)}, environment };
console.log("starting");
void ${start};
setInterval(() => {}, 1000);
`;
  await using child = Bun.spawn([process.execPath, "-e", script], { cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
  await child.stdout.getReader().read();
  await eventually(() => processesOf(folder.path).some(({ command }) => command === "sleep 306"));
  child.kill("SIGKILL");
  await noProcessesOf(folder.path);
});

test("a command without a sandbox that nobody watches yet ends with its process", async () => {
  using folder = temporaryDirectory();
  const reaper = new Reaper({ name: "a reaper" });
  reaper.start();
  const environment = { PATH: process.env["PATH"] ?? "" };
  const command = ["sleep", "307"];
  const { exited } = startBare({
    command,
    cwd: folder.path,
    environment,
    hasChannel: false,
    reports: reaper.descriptor,
  });
  // Its input ends only after the command has reported itself.
  await reaper.close();
  expect(await exited).toBe(137);
});

/** A bubblewrap that, while the file `slow` exists, leaves its process group long before it asks the kernel to end with its parent. */
const slowBubblewrap = (folder: string): string => `#!/bin/sh
case " $* " in *" --die-with-parent "*" --seccomp "*) ;; *) exec '${Bun.which("bwrap")}' "$@" ;; esac
[ -e '${folder}/slow' ] || exec '${Bun.which("bwrap")}' "$@"
exec 9<&0
setsid sh -c 'touch "$0/starting"; until [ -e "$0/go" ]; do sleep 0.02; done; exec 9<&-; exec "${Bun.which("bwrap")}" "$@"' '${folder}' "$@" <&9 &
wait $!
`;

test.skipIf(requireProgram("bwrap"))(
  "a command in a sandbox does not run if its process is killed while it starts",
  async () => {
    using folder = temporaryDirectory();
    using programs = temporaryDirectory();
    writeFileSync(join(programs.path, "bwrap"), slowBubblewrap(folder.path), { mode: 0o755 });
    const root = join(import.meta.dir, "../..");
    const script = `
const { Sandbox } = await import(${JSON.stringify(`${root}/packages/sandbox/src/index.ts`)});
const { startShell } = await import(${JSON.stringify(`${root}/packages/tools/src/shell-run.ts`)});
const { toolHostCommand } = await import(${JSON.stringify(`${root}/packages/tools/src/tool-host/tool-host-command.ts`)});
const { protectedPaths } = await import(${JSON.stringify(`${root}/packages/permissions/src/index.ts`)});
const cwd = ${JSON.stringify(folder.path)};
const environment = { PATH: ${JSON.stringify(programs.path)} + ":" + process.env.PATH, HOME: cwd };
const policy = { mode: "required", network: "none", read: [], write: [] };
const lists = () => protectedPaths({ environment, definingFiles: [] });
const sandbox = new Sandbox({ agentDir: cwd, cwd, environment, toolHostCommand: toolHostCommand(), policy, lists });
const start = (command) => startShell({ command, cwd, environment, sandbox }, []);
await start("sleep 308");
require("node:fs").writeFileSync(cwd + "/slow", "");
await start("touch ran; sleep 309");
`;
    await using child = Bun.spawn([process.execPath, "-e", script], {
      cwd: "/",
      stdio: ["ignore", "inherit", "inherit"],
    });
    await untilExists(join(folder.path, "starting"));
    child.kill("SIGKILL");
    await child.exited;
    writeFileSync(join(folder.path, "go"), "");
    await noProcessesOf(folder.path);
    expect(existsSync(join(folder.path, "ran"))).toBeFalse();
  },
);

test.skipIf(requireProgram("bwrap"))("a command in a new sandbox says which servers it does not reach", async () => {
  await using bench = openBench("required");
  const serve = "exec python3 -u -m http.server 8765 --bind 127.0.0.1";
  const id = await bench.start(serve);
  const get = "curl -sS -o /dev/null http://127.0.0.1:8765/ && echo reached";
  const waiting = `for i in $(seq 250); do ${get} && exit; sleep 0.1; done`;
  expect(await bench.run("bash", { command: waiting })).toContain("reached");
  // It changes what the sandbox has to protect.
  writeFileSync(join(bench.folder, ".env"), "KEY=secret\n");
  const text = await bench.run("bash", { command: get });
  expect(text).toContain(`background commands that started before the sandbox changed (${id})`);
  await bench.run("bash_stop", { id });
  await bench.start(serve);
  expect(await bench.run("bash", { command: waiting })).toContain("reached");
  expect(await bench.run("bash", { command: "echo Connection refused; exit 1" })).not.toContain("sandbox:");
});

test("at most ten commands run in the background of a session, also if they start at once", async () => {
  await using bench = openBench("off");
  const ids = await Promise.all(Array.from({ length: 10 }, () => bench.start("sleep 300")));
  expect(await bench.run("bash", { command: "sleep 300", background: true })).toBe(
    `10 commands run in the background, the most that may; end one with bash_stop: ${bench.background
      .list("main")
      .map(({ id }) => id)
      .join(", ")}`,
  );
  await bench.run("bash_stop", { id: ids[0] ?? "" });
  const more = await Promise.all([bench.start("sleep 300"), bench.start("sleep 300")]);
  expect(more.filter((id) => id !== "")).toHaveLength(1);
});

test("without bash_output, bash has no background", () => {
  const [alone] = builtinTools({ environment: {} }, ["bash"]);
  expect(JSON.stringify(alone?.parameters)).not.toContain("background");
  expect(alone?.description).not.toContain("background");
});

const noProcessesOfCommands = (folder: string): Promise<void> =>
  eventually(() => processesOf(folder).every(({ command }) => !command.startsWith("sleep 30")));
