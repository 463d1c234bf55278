// The semantics of the heartbeat with real processes on the real clock. Where a day must pass, libfaketime moves the time of one process.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireFile } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const TOKEN = "a-token-of-the-server";
const SILENT: readonly Reply[] = Array(200).fill({ text: "HEARTBEAT_OK" });

const FOLDER = "/usr/lib";
/** Where Debian puts the library of the package faketime. */
const FAKE_TIME = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
  .map((machine) => join(FOLDER, machine, "faketime/libfaketimeMT.so.1"))
  .find(existsSync);
const hasNoFakeTime = requireFile(FAKE_TIME ?? join(FOLDER, "faketime"), "faketime");

interface Line {
  readonly type: string;
  readonly at: string;
  readonly task: string;
  readonly due: string;
  readonly count: number;
  readonly outcome: string;
}

/** An agent that `mdx-ai run` keeps alive, in one process after the other. */
class RealRun implements Disposable {
  readonly #home = temporaryDirectory();
  readonly #directory: ReturnType<typeof agentDirectory>;
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  printed = "";

  constructor(heartbeat: string, agent?: string) {
    this.#directory = agentDirectory({ "heartbeat.md": heartbeat, ...(agent !== undefined && { "agent.mdx": agent }) });
  }

  get path(): string {
    return this.#directory.path;
  }

  get child(): Bun.Subprocess<"ignore", "pipe", "pipe"> {
    if (this.#child === undefined) throw new Error("it was not started");
    return this.#child;
  }

  /** Starts a process, whose time differs from the machine's by what `setTime` says. */
  async start(replies: readonly Reply[] = SILENT, more: readonly string[] = []): Promise<void> {
    const model = scriptReference(this.#home.path, replies);
    const fake = existsSync(this.#offset) && {
      ...{ LD_PRELOAD: FAKE_TIME, FAKETIME_TIMESTAMP_FILE: this.#offset },
      ...{ FAKETIME_NO_CACHE: "1", DONT_FAKE_MONOTONIC: "1" },
    };
    const child = Bun.spawn(cliCommand(["run", this.path, "--trust", "--model", model, ...more]), {
      ...{ cwd: this.#home.path, env: cliEnvironment({ home: this.#home.path, environment: { TOKEN, ...fake } }) },
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    this.#child = child;
    this.printed = "";
    void (async () => {
      const decoder = new TextDecoder();
      for await (const part of child.stdout) this.printed += decoder.decode(part, { stream: true });
    })();
    await this.until(": running; ");
  }

  until(text: string): Promise<void> {
    return eventually(
      () => this.printed.includes(text),
      () => `no ${JSON.stringify(text)} in ${JSON.stringify(this.printed)}`,
    );
  }

  /** Sets the time of its processes, also of a running one. It passes from there on. */
  setTime(time: string | number): void {
    const seconds = (new Date(time).getTime() - Date.now()) / 1000;
    writeFileSync(this.#offset, `${seconds < 0 ? "" : "+"}${seconds.toFixed(3)}\n`);
  }

  get #offset(): string {
    return join(this.#home.path, "offset");
  }

  /** The lines of a task in state/heartbeat.jsonl, of some types. */
  lines(task: string, ...types: readonly string[]): readonly Line[] {
    const path = join(this.path, "state/heartbeat.jsonl");
    if (!existsSync(path)) return [];
    const all = readFileSync(path, "utf8").split("\n").slice(0, -1);
    return all
      .map((line): Line => JSON.parse(line))
      .filter((line) => line.task === task && (types.length === 0 || types.includes(line.type)));
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }

  [Symbol.dispose](): void {
    this.#child?.kill("SIGKILL");
    this.#directory[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }
}

/** What the lines of a task account for: the time of each and the number of due times. */
const accounted = (lines: readonly Line[]): readonly (readonly [due: number, count: number])[] =>
  lines.map(({ due, count }) => [Date.parse(due), count]);

test("the first run comes after the interval and never at the start; a restart neither repeats nor forgets, and what was missed while down runs once, or is skipped", async () => {
  const tasks = [
    "- Every 2 seconds: Paced\n  @session: paced",
    "- Every 2 seconds: Skipping\n  @missed: skip\n  @session: skipping",
    "- Every hour: Starting\n  @on-start\n  @session: starting",
  ];
  using agent = new RealRun(`## Routine Tasks\n\n${tasks.join("\n")}\n`);
  await agent.start();
  await eventually(() => agent.lines("Paced", "ended").length >= 2);
  await agent.kill();
  const [planned] = agent.lines("Paced", "planned");
  const begin = Date.parse(planned?.at ?? "");
  const [first] = agent.lines("Paced", "began");
  expect(first).toMatchObject({ due: new Date(begin + 2_000).toISOString(), count: 1 });
  expect(Date.parse(first?.at ?? "")).toBeGreaterThanOrEqual(begin + 2_000);
  const before = agent.lines("Paced", "began", "skipped").length;
  const beforeSkipping = agent.lines("Skipping", "began", "skipped").length;
  await Bun.sleep(5_000);
  await agent.start();
  await eventually(() => agent.lines("Paced", "began").length >= before + 2);
  await eventually(() => agent.lines("Skipping", "began").length > beforeSkipping);
  await agent.kill();

  for (const task of ["Paced", "Skipping"]) {
    let last = begin;
    for (const [due, count] of accounted(agent.lines(task, "began", "skipped"))) {
      expect(due).toBe(last + count * 2_000);
      last = due;
    }
  }
  const [made] = agent.lines("Paced", "began", "skipped").slice(before);
  expect(made).toMatchObject({ type: "began" });
  expect(made?.count).toBeGreaterThanOrEqual(2);
  expect(agent.lines("Skipping", "skipped")).toContainEqual(expect.objectContaining({ outcome: "missed" }));
  expect(agent.lines("Starting", "began")).toHaveLength(2);
});

test("a task overlaps neither itself nor the user's prompt, which goes first", async () => {
  using agent = new RealRun("@every: 1s\n");
  const slow = { calls: [{ id: "1", name: "bash", arguments: { command: "echo > begun; sleep 4" } }] };
  await agent.start([slow, ...SILENT], ["--serve", "--token", "env:TOKEN"]);
  await eventually(() => existsSync(join(agent.path, "begun")));
  const url = /^http:\/\/127\.0\.0\.1:\d+$/m.exec(agent.printed)?.[0] ?? "";
  const { status } = await fetch(`${url}/api/agents/${basename(agent.path)}/sessions/main/prompts`, {
    ...{ method: "POST", body: JSON.stringify({ text: "from the user" }) },
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
  });
  expect(status).toBe(202);
  await eventually(() => agent.lines("On Wake", "ended").length >= 2);
  const journal = readFileSync(join(agent.path, "sessions/main/journal.jsonl"), "utf8");
  const inputs = journal.split("\n").flatMap((line) => {
    const { step, result } = line === "" ? {} : JSON.parse(line);
    return step === "begin" ? [JSON.stringify(result.input.content).includes("from the user")] : [];
  });
  expect(inputs.slice(0, 3)).toStrictEqual([false, true, false]);
  expect(agent.lines("On Wake", "skipped")).toContainEqual(expect.objectContaining({ outcome: "overlap" }));
  let open = 0;
  for (const { type } of agent.lines("On Wake", "began", "ended")) {
    open += type === "began" ? 1 : -1;
    expect(open).toBeWithin(0, 2);
  }
});

test("a question of a task waits for its deadline and blocks no other task; a silent reply is not shown, and other replies are", async () => {
  const tasks = "- Every 1 second: Works\n  @session: works\n- Every hour: Asks\n  @on-start\n  @session: asks\n";
  using agent = new RealRun(
    `## Routine Tasks\n\n${tasks}`,
    "---\npermissions: {write_file: ask}\nlimits: {sessions: 4}\n---\n# Agent: Asking\n\n## Purpose\n\nBe tested.\n",
  );
  const asks = { calls: [{ id: "1", name: "write_file", arguments: { path: "a.txt", content: "x" } }] };
  const shown = Array(200).fill({ text: "it is shown" });
  await agent.start([asks, { text: "HEARTBEAT_OK all is well" }, ...shown], ["--wait-for-answers=4"]);
  await agent.until("it is shown");
  await eventually(() => agent.lines("Asks", "ended").length === 1);
  const [{ at: asked = "" } = {}] = agent.lines("Asks", "began");
  const [{ at: ended = "" } = {}] = agent.lines("Asks", "ended");
  expect(Date.parse(ended) - Date.parse(asked)).toBeGreaterThanOrEqual(4_000);
  const meanwhile = agent.lines("Works", "ended").filter(({ at }) => at > asked && at < ended);
  expect(meanwhile.length).toBeGreaterThanOrEqual(2);
  expect(existsSync(join(agent.path, "a.txt"))).toBeFalse();
  expect(agent.printed).not.toContain("all is well");
  const [log = ""] = readdirSync(join(agent.path, "logs")).filter((name) => name.endsWith(".log"));
  expect(readFileSync(join(agent.path, "logs", log), "utf8")).toContain("quiet");
});

test("a heartbeat.md that has only headers makes no call, and the process says so", async () => {
  using agent = new RealRun("# Heartbeat\n\n## Schedule\n\n## On Wake\n\n## Routine Tasks\n");
  using other = new RealRun("@every: 1s\n");
  await Promise.all([agent.start(), other.start()]);
  await eventually(() => other.lines("On Wake", "ended").length >= 3);
  expect(agent.printed).toContain("nothing wakes it: heartbeat.md has no time that comes");
  expect(agent.printed.trimEnd().split("\n")).toHaveLength(1);
  expect(["sessions/main", "state/usage.jsonl"].filter((path) => existsSync(join(agent.path, path)))).toStrictEqual([]);
});

const HOURLY =
  "- Every hour: Hourly\n  @session: hourly\n- Every hour: Skipping\n  @missed: skip\n  @session: skipping\n";
const PACED = "- Every 1 second: Paced\n  @session: paced\n";

test.skipIf(hasNoFakeTime)(
  "a process that is suspended for a day runs once what it missed, or skips it, never a storm",
  async () => {
    using agent = new RealRun(`## Routine Tasks\n\n${HOURLY}${PACED}`);
    agent.setTime(Date.now());
    await agent.start();
    await eventually(() => agent.lines("Paced", "ended").length >= 2);
    agent.child.kill("SIGSTOP");
    agent.setTime(Date.now() + DAY + HOUR / 2);
    agent.child.kill("SIGCONT");
    const awake = agent.lines("Paced", "began").length;
    await eventually(() => agent.lines("Paced", "began").length >= awake + 3);
    expect(agent.lines("Hourly", "began", "skipped")).toMatchObject([{ type: "began", count: 24 }]);
    expect(agent.lines("Skipping", "began", "skipped")).toMatchObject([
      { type: "skipped", count: 24, outcome: "missed" },
    ]);
    const paced = accounted(agent.lines("Paced", "began", "skipped")).filter(([, count]) => count > 60);
    expect(paced).toHaveLength(1);
  },
);

test.skipIf(hasNoFakeTime)(
  "a clock that is set back by a day stops no task, and one that is set forward makes no storm",
  async () => {
    using agent = new RealRun(`## Routine Tasks\n\n${HOURLY}${PACED}`);
    agent.setTime(Date.now());
    await agent.start();
    await eventually(() => agent.lines("Paced", "ended").length >= 2);
    agent.setTime(Date.now() - DAY);
    const back = agent.lines("Paced", "began").length;
    await eventually(() => agent.lines("Paced", "began").length >= back + 3);
    expect(agent.lines("Hourly", "began", "skipped")).toStrictEqual([]);
    agent.setTime(Date.now() + DAY);
    const forward = agent.lines("Paced", "began").length;
    await eventually(() => agent.lines("Paced", "began").length >= forward + 3);
    const missed = agent.lines("Hourly", "began", "skipped");
    expect(missed).toHaveLength(1);
    expect(missed[0]?.count).toBeGreaterThanOrEqual(23);
  },
);

test.skipIf(hasNoFakeTime).each([
  {
    time: "that the clock skips in spring is due when the clock has passed it",
    ...{ cron: "30 2 * * *", start: "2026-03-29T00:59:56Z", due: "2026-03-29T01:00:00.000Z", again: undefined },
  },
  {
    time: "that the clock repeats in autumn is due once",
    ...{ cron: "30 2 * * *", start: "2026-10-25T00:29:56Z", due: "2026-10-25T00:30:00.000Z" },
    again: "2026-10-25T01:29:56Z",
  },
  {
    time: "of the leap day comes on it",
    ...{ cron: "0 1 29 2 *", start: "2028-02-28T23:59:56Z", due: "2028-02-29T00:00:00.000Z", again: undefined },
  },
])("a time $time, in Vienna", async ({ cron, start, due, again }) => {
  const tasks = `- ${cron}: Night\n  @session: night\n${PACED}`;
  using agent = new RealRun(`## Schedule\n\n@timezone: Europe/Vienna\n\n## Routine Tasks\n\n${tasks}`);
  agent.setTime(start);
  await agent.start();
  // The start may take longer than the four seconds.
  agent.setTime(start);
  await eventually(() => agent.lines("Night", "ended").length === 1);
  if (again !== undefined) {
    agent.setTime(again);
    const end = Date.parse(again) + 6_000;
    await eventually(() => agent.lines("Paced", "began").some(({ at }) => Date.parse(at) >= end));
  }
  expect(agent.lines("Night", "began", "skipped")).toMatchObject([{ type: "began", due, count: 1 }]);
});

test.skipIf(hasNoFakeTime)(
  "an error is shown and backs off for a minute, though the task is due each second",
  async () => {
    using agent = new RealRun(PACED.replace("- ", "## Routine Tasks\n\n- "));
    agent.setTime(Date.now());
    await agent.start([{ error: { message: "no such model", status: 404 } }, ...SILENT]);
    await agent.until("no such model");
    await eventually(() => agent.lines("Paced", "skipped").length >= 3);
    expect(agent.lines("Paced", "began")).toHaveLength(1);
    expect(agent.lines("Paced", "skipped")[0]).toMatchObject({ outcome: "back-off" });
    agent.setTime(Date.now() + 55_000);
    await eventually(() => agent.lines("Paced", "ended").length >= 2);
    const [first, second] = [agent.lines("Paced", "ended")[0], agent.lines("Paced", "began")[1]];
    expect(first).toMatchObject({ outcome: "error" });
    expect(Date.parse(second?.at ?? "") - Date.parse(first?.at ?? "")).toBeGreaterThanOrEqual(60_000);
  },
);
