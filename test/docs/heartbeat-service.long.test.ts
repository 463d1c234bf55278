import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { eventually } from "../support/eventually.ts";
import { requireProgram } from "../support/require-program.ts";
import { runLines, userEnvironment } from "../support/run-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = readFileSync(join(import.meta.dir, "../../docs/heartbeat.md"), "utf8");

/** The one match on the page; fails if the page has none. */
function onPage(pattern: RegExp): string {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`The page has nothing like ${pattern}.`);
  return found;
}

const unit = onPage(/```ini\n([\s\S]*?)```/);

/** A setting of the unit. */
const setting = (name: string): string => onPage(new RegExp(`^${name}=(.+)$`, "m"));

const silent = (): AnthropicServer => anthropicServer(...Array(50).fill(textReply("HEARTBEAT_OK")));

/** Starts a command line of the page in a home folder, as a service manager does: the program itself is the child. */
function start(command: string, home: string, environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn(["/bin/sh", "-c", `exec ${command}`], {
    ...{ cwd: "/", env: { ...userEnvironment(home), ...environment, ANTHROPIC_API_KEY: "key" } },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  let printed = "";
  void (async () => {
    for await (const part of child.stdout) printed += new TextDecoder().decode(part);
  })();
  const until = (text: string): Promise<void> =>
    eventually(
      () => printed.includes(text),
      () => `no ${JSON.stringify(text)} in ${JSON.stringify(printed)}`,
    );
  return { child, until };
}

describe("the service that docs/heartbeat.md shows", () => {
  test.skipIf(requireProgram("systemd-analyze"))("is a valid unit of systemd", () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "my-agent.service");
    // Neither the program nor its user is on this machine.
    writeFileSync(path, unit.replace("/usr/local/bin/mdx-ai", process.execPath).replace("User=agent", "User=root"));
    const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", path]);
    expect([exitCode, stderr.toString()]).toStrictEqual([0, ""]);
  });

  test("starts once its user trusts the agent, reloads by the command of the unit, and stops within its time", async () => {
    using home = temporaryDirectory();
    using server = silent();
    const agent = join(home.path, "srv");
    const here = (line: string): string => line.replace("/usr/local/bin/", "").replaceAll("/srv/my-agent", agent);
    await runLines("mdx-ai init made", home.path);
    // What a user makes is trusted; what is copied to a server is not.
    cpSync(join(home.path, "made"), agent, { recursive: true });
    writeFileSync(join(agent, "heartbeat.md"), "@every: 1s\n");
    const refused = start(here(setting("ExecStart")), home.path, server.environment);
    expect(await refused.child.exited).toBe(3);
    expect(await runLines(here(onPage(/^Run `(mdx-ai trust [^`]+)` once/m)), home.path)).toMatchObject({ exitCode: 0 });
    const { child, until } = start(here(setting("ExecStart")), home.path, server.environment);
    await eventually(() => server.requests.length >= 2);
    appendFileSync(join(agent, "agent.mdx"), "\nBe brief since the reload.\n");
    const reload = setting("ExecReload").replace("$MAINPID", `${child.pid}`);
    expect(Bun.spawnSync(["/bin/sh", "-c", reload]).exitCode).toBe(0);
    await until("reloaded");
    await eventually(() => server.requests.at(-1)?.text.includes("Be brief since the reload.") === true);
    const since = performance.now();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(performance.now() - since).toBeLessThan(1_000 * Number(setting("TimeoutStopSec")));
  });

  test("in a container writes to its volume alone", async () => {
    using home = temporaryDirectory();
    using server = silent();
    const entry: readonly string[] = JSON.parse(onPage(/^`ENTRYPOINT (.+)`\.$/m));
    await runLines("mdx-ai init my-agent", home.path);
    const agent = join(home.path, "image/agent");
    cpSync(join(home.path, "my-agent"), agent, { recursive: true });
    writeFileSync(join(agent, "heartbeat.md"), "@every: 1s\n");
    chmodSync(agent, 0o555);
    const data = join(home.path, "data");
    mkdirSync(data);
    const before = readdirSync(agent, { recursive: true });
    const places: Readonly<Record<string, string>> = { "/agent": agent, "/data": data };
    const command = entry.map((word) => `'${places[word] ?? word}'`).join(" ");
    const { child } = start(command, home.path, server.environment);
    await eventually(() => server.requests.length >= 2);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(readdirSync(agent, { recursive: true })).toEqual(before);
    expect(existsSync(join(data, "state/heartbeat.jsonl"))).toBe(true);
  });
});
