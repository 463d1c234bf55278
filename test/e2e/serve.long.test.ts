import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { bodyOf, sentEvents } from "../support/served-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TOKEN = "a-token-of-some-length";
const COMMAND: Reply = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch effect" } }] };

interface Server extends AsyncDisposable {
  readonly url: string;
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Ends it; resolves to the exit code. */
  kill(signal: NodeJS.Signals): Promise<number>;
}

/** `mdx-ai serve agent` in a process of its own. */
async function start(home: string, replies: readonly Reply[], ...options: readonly string[]): Promise<Server> {
  const model = ["--model", scriptReference(home, replies), "--sandbox", "off", "--trust", "--token", "env:TOKEN"];
  const child = Bun.spawn(cliCommand(["serve", "agent", ...model, ...options]), {
    ...{ cwd: home, env: cliEnvironment({ home, environment: { TOKEN } }) },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
  const kill = async (signal: NodeJS.Signals): Promise<number> => {
    child.kill(signal);
    return child.exited;
  };
  const { value } = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  const url = String(value).trim();
  return {
    ...{ url, kill },
    send: (method, path, body, headers = {}) =>
      fetch(`${url}/api/agents/agent${path && `/${path}`}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async [Symbol.asyncDispose]() {
      await kill("SIGKILL");
    },
  };
}

const RECORDS = ".local/state/mdx-ai/servers";

/** The records of running servers. */
const recordsIn = (home: string): readonly string[] =>
  existsSync(join(home, RECORDS)) ? [...new Bun.Glob("*.json").scanSync({ cwd: join(home, RECORDS) })] : [];

async function until(server: Server, type: string, after = "0.0"): Promise<string> {
  const accept = { accept: "text/event-stream" };
  let last = after;
  for await (const { id, data } of sentEvents(
    await server.send("GET", `sessions/main/events?after=${after}`, undefined, accept),
  )) {
    last = id ?? last;
    if (data.type === type) return last;
  }
  throw new Error(`no ${type}`);
}

test("a key outlives kill -9 and a stop: the prompt runs once, its question keeps its id, and events go on", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const key = { "idempotency-key": "k1" };
  const submit = async (server: Server, text: string): Promise<unknown> => {
    const response = await server.send("POST", "sessions/main/prompts", { text }, key);
    return response.status === 202 ? bodyOf(response) : response.status;
  };
  await using first = await start(home.path, [COMMAND]);
  expect(await submit(first, "go")).toEqual({ promptId: "k1" });
  const asked = await until(first, "question_asked");
  await first.kill("SIGKILL");

  await using second = await start(home.path, [{ text: "unused" }]);
  expect(await submit(second, "go")).toEqual({ promptId: "k1" });
  expect(await submit(second, "other")).toBe(409);
  expect(await until(second, "question_asked")).toBe(asked);
  expect(await second.kill("SIGTERM")).toBe(0);

  await using third = await start(home.path, [{ text: "made it" }]);
  await until(third, "question_asked");
  expect((await third.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" })).status).toBe(200);
  await until(third, "agent_end", asked);
  expect(existsSync(join(home.path, "agent/effect"))).toBe(true);
  const session = await bodyOf(await third.send("GET", "sessions/main"));
  expect(session).toMatchObject({ prompts: 1, turns: 2, state: "idle" });
});

test("changed files of the agent count from the next prompt on", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  await using server = await start(home.path, [{ text: "one" }, { text: "two" }]);
  const skills = async (): Promise<readonly string[]> =>
    (await bodyOf(await server.send("GET", "skills"))).skills.map(({ name }: { readonly name: string }) => name);
  const prompt = async (after?: string): Promise<string> => {
    await server.send("POST", "sessions/main/prompts", { text: "go" });
    return until(server, "agent_end", after);
  };
  const first = await prompt();
  expect(await skills()).toEqual([]);
  writeText(
    join(home.path, "agent/skills/rain/SKILL.md"),
    "---\nname: rain\ndescription: About rain\n---\nIt falls.\n",
  );
  await prompt(first);
  expect(await skills()).toEqual(["rain"]);
  expect((await bodyOf(await server.send("GET", ""))).mode).toBe("ask");
});

test("what is wrong with a command line ends the program", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  writeText(join(home.path, "users"), "ann short\n");
  writeText(join(home.path, "twice"), "ann a-token-of-some-length\nbob a-token-of-some-length\n");
  writeText(join(home.path, "path"), "../ann a-token-of-some-length\n");
  const cases: readonly (readonly [args: readonly string[], exitCode: number, text: string])[] = [
    [["agent", "--host", "0.0.0.0"], 2, "give a token with --token FILE or --token env:NAME"],
    [["agent", "--host", "0.0.0.0", "--user-header", "x-user"], 2, "--user-header needs a proxy on this machine"],
    [["agent", "--token", "env:NONE"], 2, "the variable NONE needs a token of at least 16"],
    [["agent", "--users", "users"], 2, "users:1 needs a token of at least 16"],
    [["agent", "--users", "twice"], 2, "two users with the token of bob"],
    [["agent", "--users", "path"], 2, "bad user"],
    [["agent", "--users", "none"], 2, "--users cannot be read"],
    [["agent", "--users", "twice", "--token", "x"], 2, "exclude each other"],
    [["agent", "--port", "99999"], 2, "--port needs a whole number from 0 to 65535"],
    [[], 2, "serve"],
    [["agent"], 3, "trust"],
    [["none", "--trust"], 2, "none"],
  ];
  for (const [args, exitCode, text] of cases) {
    const { stderr, ...result } = await runCommandLine(["serve", ...args], { home: home.path });
    expect([args, result.exitCode]).toEqual([args, exitCode]);
    expect(stderr).toContain(text);
  }
});

test("a token is made for a missing file, readable by its owner alone, and shown once", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const serve = () => runCommandLine(["serve", "agent", "--token", "token"], { home: home.path });
  const { stdout, stderr } = await serve();
  const token = readFileSync(join(home.path, "token"), "utf8").trim();
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(stderr).toContain(token);
  expect(statSync(join(home.path, "token")).mode & 0o777).toBe(0o600);
  expect((await serve()).stderr).not.toContain(token);
});

test.each([
  ["SIGKILL", ["--json"]],
  ["SIGTERM", []],
] as const)("send says what becomes of a prompt whose server ends by %s", async (signal, options) => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  await using server = await start(home.path, [{ text: "late", delay: 60_000 }]);
  await eventually(() => recordsIn(home.path).length > 0);
  const sent = runCommandLine(["send", "agent", "hi", ...options], { home: home.path, environment: { TOKEN } });
  await until(server, "agent_start");
  // Until the client reads the events of its prompt, it cannot reach the server.
  await Bun.sleep(300);
  await server.kill(signal);
  const { exitCode, stderr } = await sent;
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^mdx-ai: the (connection to the server broke|server cannot be reached: .*); the server has stored the prompt, and continues it once it runs again; mdx-ai sessions agent show main shows the answer\n$/,
  );
});

test("send says where to look for a prompt whose server answers nothing", async () => {
  using home = temporaryDirectory();
  using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.terminate() } });
  const sent = await runCommandLine(
    ["send", `http://127.0.0.1:${server.port}`, "hi", "--token", "env:TOKEN", "--agent", "agent"],
    { home: home.path, environment: { TOKEN } },
  );
  expect(sent).toMatchObject({
    exitCode: 1,
    stderr:
      "mdx-ai: the connection to the server broke; session main of the server shows whether the server has stored the prompt\n",
  });
});

test("send finds the server of a directory and prints the answer; a second terminal answers its question", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const run = (...args: readonly string[]) =>
    runCommandLine(args, { home: home.path, environment: { TOKEN, WRONG: "another-wrong-token" } });
  expect(await run("send", "agent", "hi")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no server runs"),
  });
  await using server = await start(home.path, [{ text: "Hello." }, COMMAND, { text: "made it" }, { text: "three" }]);
  await eventually(() => recordsIn(home.path).length > 0);
  const record = join(RECORDS, recordsIn(home.path)[0] ?? "");
  expect(statSync(join(home.path, record)).mode & 0o777).toBe(0o600);
  expect(await run("send", "agent", "hi")).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });

  const sent = run("send", "agent", "make it");
  const accept = { accept: "text/event-stream" };
  for await (const { data } of sentEvents(await server.send("GET", "sessions/main/events", undefined, accept)))
    if (data.type === "question_asked") break;
  const listed = await run("answer", server.url, "--token", "env:TOKEN");
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: "2.1.1", kind: "approval" }]);
  expect(await run("answer", server.url, "2.1.1", "perhaps", "--token", "env:TOKEN")).toMatchObject({ exitCode: 1 });
  expect(await run("answer", "agent", "2.1.1", "yes")).toMatchObject({ exitCode: 0 });
  expect(await sent).toMatchObject({
    ...{ exitCode: 0, stdout: "made it\n" },
    stderr: expect.stringContaining("mdx-ai answer agent 2.1.1 yes --session main"),
  });
  const events = await run("send", server.url, "and?", "--token", "env:TOKEN", "--json");
  expect(
    events.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type)
      .at(-1),
  ).toBe("agent_end");
  const cases: readonly (readonly [args: readonly string[], exitCode: number, text: string])[] = [
    [[server.url, "x"], 2, "an address needs the server's token"],
    [[server.url, "x", "--token", "env:WRONG"], 1, "the server says"],
    [["agent", "x", "--session", "none"], 1, 'there is no session "none"'],
    [["agent", "x", "--agent", "other"], 1, 'there is no agent "other"'],
    [["http://127.0.0.1:1", "x", "--token", "env:TOKEN"], 1, "cannot be reached"],
  ];
  for (const [args, exitCode, text] of cases) {
    const { stderr, ...result } = await run("send", ...args);
    expect([args, result.exitCode]).toEqual([args, exitCode]);
    expect(stderr).toContain(text);
  }
  expect(await server.kill("SIGTERM")).toBe(0);
  expect(existsSync(join(home.path, record))).toBe(false);
});
