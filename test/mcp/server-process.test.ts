import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "../support/eventually.ts";
import { hostileServer, mcpBench, textOf } from "../support/mcp-bench.ts";
import { noProcessesOf, processesOf } from "../support/remaining-processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const surroundings = (folder: string) => ({
  PATH: process.env["PATH"],
  HOME: "/home/user",
  LANG: "de_AT.UTF-8",
  LC_TIME: "C",
  HTTPS_PROXY: "http://user:secret@proxy:1",
  API_KEY: "k",
  FOLDER: folder,
});

describe("the program of a server", () => {
  test("sees its own variables, PATH and the like, and no other of the user's; it runs where its cwd says", async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory.path, "inner"));
    const server = hostileServer();
    const definition = { ...server, cwd: "inner", env: { TOKEN: "a ${API_KEY}", OTHER: "${NONE:-else}" } };
    await using bench = mcpBench(definition, { baseDir: directory.path, environment: surroundings(directory.path) });
    const { cwd, env } = JSON.parse(textOf(await bench.call("where")));
    expect(cwd).toBe(join(directory.path, "inner"));
    expect(env).toEqual({
      PATH: process.env["PATH"],
      HOME: "/home/user",
      LANG: "de_AT.UTF-8",
      LC_TIME: "C",
      TOKEN: "a k",
      OTHER: "else",
    });
  });

  test.each([
    [
      "a missing variable",
      { ...hostileServer(), env: { TOKEN: "${NO_SUCH_TOKEN}" } },
      "the variable NO_SUCH_TOKEN is not set",
    ],
    ["a missing variable in an argument", { ...hostileServer("${NO_SUCH}") }, "the variable NO_SUCH is not set"],
    [
      "a program that is not on PATH",
      { transport: "stdio", command: "no-such-program" },
      "there is no program no-such-program on PATH",
    ],
    ["a file that is not there", { transport: "stdio", command: "./bin/none" }, "there is no program ./bin/none"],
    ["a folder that is not there", { ...hostileServer(), cwd: "none" }, "cannot start"],
  ] as const)("with %s is not started, and the reason says so", async (_name, server, reason) => {
    await using bench = mcpBench(server);
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "failed", reason: expect.stringContaining(reason) });
  });

  const SEES_FEW = "it receives few of your variables unless env: of the server names them";
  test.each([
    [
      "a variable of the user that it does not get",
      'echo "Error: API_KEY is required" >&2; exit 1',
      'Error: API_KEY is required; it receives your variable API_KEY only if env: of the server names it: API_KEY: "${API_KEY}"',
    ],
    [
      "a variable that the user does not have",
      'echo "Please set SOME_TOKEN" >&2; exit 1',
      "Please set SOME_TOKEN; set SOME_TOKEN under env: of the server, since it receives few of your variables",
    ],
    ["a key, without a name", 'echo "no api key" >&2; exit 1', `no api key; ${SEES_FEW}`],
    ["nothing", "exit 3", `ended with exit code 3; ${SEES_FEW}`],
    ["a variable that it has", 'echo "LC_TIME: bad port" >&2; exit 1', "exit code 1: LC_TIME: bad port"],
    ["a code in capitals", 'echo "code: ERR_DLOPEN_FAILED" >&2; exit 1', "exit code 1: code: ERR_DLOPEN_FAILED"],
    ["a program that it starts", "no-such-node x", "; is no-such-node installed, and on PATH?"],
    [
      "an error with a stack",
      "printf 'x.js:1\\n  ^\\n\\nError: bad port\\n    at a (x.js:1)\\n    at b (x.js:2)\\n\\nNode.js v22.1.0\\n' >&2; exit 1",
      "exit code 1: x.js:1 | Error: bad port",
    ],
  ])("that ends at once and names %s fails with a hint", async (_name, script, reason) => {
    const server = { transport: "stdio", command: "/bin/sh", args: ["-c", script] } as const;
    await using bench = mcpBench(server, { environment: surroundings("/") });
    await bench.connection.connect();
    const { state } = bench.connection;
    expect(state.type === "failed" && state.reason).toEndWith(reason);
  });

  test("that is not on PATH and comes with another one fails with a hint at it", async () => {
    await using bench = mcpBench({ transport: "stdio", command: "npx" }, { environment: { PATH: "/nowhere" } });
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({
      reason: "there is no program npx on PATH; it comes with Node.js",
    });
  });

  test.each([["agent"], ["roots"]])("is never found on PATH in a folder that commands write: %s", async (place) => {
    using directory = temporaryDirectory();
    const program = join(directory.path, "bin/start");
    mkdirSync(join(directory.path, "bin"));
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    const elsewhere = temporaryDirectory();
    symlinkSync(join(directory.path, "bin"), join(elsewhere.path, "linked"));
    await using bench = mcpBench(
      { transport: "stdio", command: "start" },
      {
        ...(place === "agent" ? { baseDir: directory.path } : { roots: [directory.path] }),
        environment: { PATH: `${directory.path}/bin:${elsewhere.path}/linked:/usr/bin:/bin` },
      },
    );
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({ reason: "there is no program start on PATH" });
    elsewhere[Symbol.dispose]();
  });

  test("is found relative to the agent's directory if its name holds a slash, and never on a relative entry of PATH", async () => {
    const directory = temporaryDirectory();
    const file = join(directory.path, "start");
    writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
    chmodSync(file, 0o755);
    const options = { baseDir: directory.path, environment: { PATH: ".:/usr/bin:/bin", FOLDER: directory.path } };
    {
      await using bench = mcpBench({ ...hostileServer(), command: "./start" }, options);
      expect(textOf(await bench.call("echo"))).toBe("{}");
    }
    await using bench = mcpBench({ ...hostileServer(), command: "start" }, options);
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({ reason: "there is no program start on PATH" });
  });

  test.each([["exits-when-asked"], ["silent"]])("that is of an old kind (%s) is spoken to in its way", async (way) => {
    await using bench = mcpBench(hostileServer(way));
    expect(textOf(await bench.call("echo"))).toBe("{}");
  });
});

describe("the end of a connection", () => {
  test("closes the input of the program, which then exits", async () => {
    await using bench = mcpBench(hostileServer("parent"));
    await bench.connection.connect();
    const started = performance.now();
    await bench.connection.close();
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(bench.connection.state).toEqual({ type: "closed" });
    expect(bench.recorded()).not.toContain("SIGTERM");
    await expect(bench.call("echo")).rejects.toThrow("the connection is closed");
  });

  test("kills a program that minds neither that nor SIGTERM, with all that it started", async () => {
    await using bench = mcpBench(hostileServer("stubborn", "parent"), { limits: { end: 200 } });
    await bench.connection.connect();
    expect(processesOf(bench.folder).length).toBeGreaterThan(1);
    await bench.connection.close();
    expect(bench.recorded()).toContain("SIGTERM");
    await noProcessesOf(bench.folder);
  });

  test("while it is being opened leaves nothing running", async () => {
    await using bench = mcpBench(hostileServer("mute", "parent"));
    const connected = bench.connection.connect();
    await eventually(() => expect(processesOf(bench.folder).length).toBeGreaterThan(1));
    await bench.connection.close();
    await connected;
    expect(bench.connection.state).toEqual({ type: "closed" });
  });

  test("that a killed process cannot bring about is brought about for it", async () => {
    using directory = temporaryDirectory();
    const program = fileURLToPath(new URL("../support/mcp-user-process.ts", import.meta.url));
    const user = Bun.spawn([process.execPath, program, directory.path], { stdout: "pipe", cwd: "/" });
    await user.stdout.getReader().read();
    expect(processesOf(directory.path).length).toBeGreaterThan(2);
    user.kill("SIGKILL");
    await noProcessesOf(directory.path);
  });
});

test("servers connect side by side, and a slow one holds up no other", async () => {
  await using slow = mcpBench(hostileServer("mute"), { limits: { connect: 20_000, end: 100 } });
  await using quick = mcpBench(hostileServer());
  const abort = new AbortController();
  const waiting = slow.connection.connect(abort.signal);
  await quick.connection.connect();
  expect(quick.connection.state).toEqual({ type: "connected" });
  expect(slow.connection.state).toEqual({ type: "connecting" });
  abort.abort();
  await waiting;
  expect(slow.connection.state).toEqual({ type: "connecting" });
});
