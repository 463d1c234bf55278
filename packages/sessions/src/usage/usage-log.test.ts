import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noCost } from "@mdx-ai/loop";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { usageLine } from "../../../../test/support/usage-line.ts";
import type { UsageLine } from "./usage-line.ts";
import { UsageLog, type UsageLogOptions } from "./usage-log.ts";

const PROCESS = join(import.meta.dir, "../../../../test/support/usage-log-process.ts");
const HOUR = 3_600_000;

interface Bench extends Disposable {
  /** The agent directory. */
  readonly folder: string;
  readonly path: string;
  readonly warnings: string[];
  open(options?: Pick<UsageLogOptions, "isKept">): UsageLog;
}

function bench(): Bench {
  const folder = temporaryDirectory();
  const path = join(folder.path, "state/usage.jsonl");
  const warnings: string[] = [];
  return {
    folder: folder.path,
    path,
    warnings,
    open: (options = {}) => new UsageLog({ path, onWarning: (message) => warnings.push(message), ...options }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Noon of a day of the local time zone, and a moment of it. */
const noon = new Date(2026, 10, 21, 12).getTime();
const at = (time: number): string => new Date(time).toISOString();
const today = (changes: Partial<UsageLine> = {}): UsageLine => usageLine({ at: at(noon), ...changes });
const text = (lines: readonly UsageLine[]): string => lines.map((line) => `${json(line)}\n`).join("");
const json = (line: UsageLine): string => JSON.stringify({ v: 1, ...line });

describe("the usage log", () => {
  test("keeps a line per answer in a file with mode 600, and makes the folder", () => {
    using run = bench();
    const log = run.open();
    log.record(today());
    log.record(today({ prompt: 2 }));
    expect(readFileSync(run.path, "utf8")).toBe(text([today(), today({ prompt: 2 })]));
    expect(statSync(run.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(run.folder, "state")).mode & 0o777).toBe(0o700);
  });

  test("makes no folder above its own, so that a removed agent stays removed", () => {
    using run = bench();
    rmSync(run.folder, { recursive: true });
    run.open().record(today());
    expect(run.warnings).toEqual([expect.stringContaining("ENOENT")]);
    mkdirSync(run.folder);
  });

  test("does not count the lines of a newer version, and says so once", () => {
    using run = bench();
    mkdirSync(join(run.folder, "state"));
    writeFileSync(run.path, `${text([today()])}{"v":2}\n`);
    const log = run.open();
    expect([log.today(noon).cost, log.today(noon).cost]).toEqual([noCost, noCost]);
    expect(run.warnings).toEqual([expect.stringContaining("was written by a newer version of mdx-ai; update mdx-ai")]);
  });

  test("keeps no line of an answer that took no tokens", () => {
    using run = bench();
    const log = run.open();
    log.record(today({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 }));
    expect(log.today(noon).cost).toEqual(noCost);
    expect(() => statSync(run.path)).toThrow("ENOENT");
  });

  test("gives the total of the day, after a restart too", () => {
    using run = bench();
    const log = run.open();
    for (let count = 0; count < 4; count++) log.record(today());
    const expected = {
      usage: { input: 20, output: 12, cacheRead: 4, cacheWrite: 4, thinking: 8, total: 40 },
      usd: 2,
      unpriced: 0,
      calls: 4,
      latency: 400,
    };
    expect(log.today(noon).cost).toEqual(expected);
    expect(run.open().today(noon).cost).toEqual(expected);
  });

  test("counts the answers of a day that had no known price", () => {
    using run = bench();
    const { usd: _usd, ...unpriced } = today();
    const log = run.open();
    log.record(unpriced);
    log.record(today());
    expect(log.today(noon).cost).toMatchObject({ calls: 2, usd: 0.5, unpriced: 1 });
  });

  test("begins at nothing without a file, and after the file was removed", () => {
    using run = bench();
    const log = run.open();
    expect(log.today(noon).cost).toEqual(noCost);
    log.record(today());
    expect(log.today(noon).cost.calls).toBe(1);
    rmSync(run.path);
    expect(log.today(noon).cost).toEqual(noCost);
    expect(run.warnings).toEqual([]);
  });

  test("starts over at midnight of the local time zone, and forgets the day before", () => {
    using run = bench();
    const midnight = new Date(2026, 10, 22).getTime();
    const log = run.open();
    log.record(today({ at: at(midnight - 1) }));
    expect(log.today(midnight - 1).cost.calls).toBe(1);
    expect(log.today(midnight).cost.calls).toBe(0);
    log.record(today({ at: at(midnight) }));
    log.record(today({ at: at(midnight + 5) }));
    expect(log.today(midnight + 10).cost.calls).toBe(2);
    expect(log.today(midnight - 1).cost.calls).toBe(1);
  });

  test("counts the 25 hours of a day in which the clocks go back", async () => {
    using run = bench();
    const hours = Array.from({ length: 27 }, (_, hour) => Date.parse("2026-10-24T21:30:00Z") + hour * HOUR);
    mkdirSync(join(run.folder, "state"));
    writeFileSync(run.path, text(hours.map((time) => usageLine({ at: at(time) }))));
    const program = `
      const { UsageLog } = await import(${JSON.stringify(join(PROCESS, "../../../packages/sessions/src/usage/usage-log.ts"))});
      console.log(new UsageLog({ path: ${JSON.stringify(run.path)} }).today(Date.parse("2026-10-25T12:00:00Z")).cost.calls);
    `;
    const environment = { ...process.env, TZ: "Europe/Vienna" };
    const { stdout } = Bun.spawnSync([process.execPath, "-e", program], { env: environment });
    expect(stdout.toString()).toBe("25\n");
  });

  test("sees the lines of other processes", async () => {
    using run = bench();
    const spawn = (session: string, count: number) =>
      Bun.spawn([process.execPath, PROCESS, run.path, session, String(count)], { stdout: "pipe", stderr: "inherit" });
    const log = run.open();
    const before = at(Date.now());
    log.record(usageLine({ at: before }));
    expect(log.today(Date.now()).cost.calls).toBe(1);
    const children = ["a", "b", "c"].map((session) => spawn(session, 200));
    for (const child of children) {
      expect(JSON.parse(await child.stdout.text())).toMatchObject({ warnings: [] });
    }
    const lines = readFileSync(run.path, "utf8").split("\n");
    const whole = lines.filter((line) => line !== "").map((line): UsageLine => JSON.parse(line));
    expect(whole).toHaveLength(601);
    // A day may have ended meanwhile.
    if (new Date(before).toDateString() === new Date().toDateString()) {
      expect(log.today(Date.now()).cost).toMatchObject({ calls: 601, usd: 300.5 });
    }
  });

  test("skips other lines, and continues behind half a line", () => {
    using run = bench();
    mkdirSync(join(run.folder, "state"));
    const wrong = [
      "",
      "null",
      "[]",
      '{"at":"2026-11-21T12:00:00.000Z"}',
      JSON.stringify(today()),
      json(today({ at: "yesterday" })),
      json(today({ input: -1000 })),
      json(today({ usd: -1000 })),
      json(today({ output: 0.5 })),
      json(today()).replace('"usd":0.5', '"usd":1e999'),
      "\u0000".repeat(100),
    ].join("\n");
    writeFileSync(run.path, `${text([today()])}${wrong}\n${json(today()).slice(0, 60)}`);
    const log = run.open();
    expect(log.today(noon).cost.calls).toBe(1);
    log.record(today());
    expect(log.today(noon).cost.calls).toBe(2);
    expect(run.open().today(noon).cost.calls).toBe(2);
    expect(run.warnings).toEqual([]);
  });

  test("counts a line that another process is writing when it is whole", () => {
    using run = bench();
    const log = run.open();
    log.record(today());
    const line = text([today()]);
    appendFileSync(run.path, line.slice(0, 50));
    expect(log.today(noon).cost.calls).toBe(1);
    appendFileSync(run.path, line.slice(50));
    expect(log.today(noon).cost.calls).toBe(2);
    expect(log.today(noon).cost.calls).toBe(2);
  });

  test("reads a file anew that was cut or replaced", () => {
    using run = bench();
    const log = run.open();
    for (let count = 0; count < 3; count++) log.record(today());
    expect(log.today(noon).cost.calls).toBe(3);
    writeFileSync(run.path, text([today()]));
    expect(log.today(noon).cost.calls).toBe(1);
    rmSync(run.path);
    writeFileSync(run.path, text([today({ usd: 7 })]));
    expect(log.today(noon).cost).toMatchObject({ calls: 1, usd: 7 });
  });

  test("reads of a long file the end alone", () => {
    using run = bench();
    mkdirSync(join(run.folder, "state"));
    const old = text(Array.from({ length: 1000 }, () => today({ at: at(noon - 48 * HOUR) }))).repeat(100);
    // Lines of two processes at midnight, in another order than that of their times.
    const border = text([today(), today({ at: at(noon - 12 * HOUR - 1) }), today()]);
    writeFileSync(run.path, old + border);
    const opened = performance.now();
    const log = run.open();
    expect(log.today(noon).cost.calls).toBe(2);
    console.log(
      `usage log of ${Math.round(old.length / 1e6)} MB, first look: ${(performance.now() - opened).toFixed(1)} ms`,
    );
    appendFileSync(run.path, text([today()]).repeat(2000));
    expect(log.today(noon).cost.calls).toBe(2002);
    expect(run.open().today(noon).cost.calls).toBe(2002);
  });

  test("continues behind a line without end", () => {
    using run = bench();
    mkdirSync(join(run.folder, "state"));
    writeFileSync(run.path, `${text([today()])}${"x".repeat(3_000_000)}`);
    const log = run.open();
    expect(log.today(noon).cost.calls).toBe(1);
    log.record(today());
    expect(log.today(noon).cost.calls).toBe(2);
    expect(run.open().today(noon).cost.calls).toBe(2);
  });

  test.each<readonly [string, (run: Bench) => void]>([
    ["a symbolic link", (run) => symlinkSync("/dev/null", run.path)],
    ["a symbolic link to another file", (run) => symlinkSync(join(run.folder, "agent.mdx"), run.path)],
    ["a symbolic link to nowhere", (run) => symlinkSync("nowhere", run.path)],
    ["a folder", (run) => mkdirSync(run.path)],
    ["a pipe", (run) => void Bun.spawnSync(["mkfifo", run.path])],
  ])("is neither written nor read through %s, with one warning; what is spent counts all the same", (name, place) => {
    const what = name.split(" to ")[0];
    using run = bench();
    mkdirSync(join(run.folder, "state"));
    writeFileSync(join(run.folder, "agent.mdx"), text([today()]));
    place(run);
    const log = run.open();
    log.record(today());
    log.record(today());
    expect(log.today(noon).cost.calls).toBe(2);
    expect(run.warnings).toStrictEqual([
      expect.stringContaining(`state/usage.jsonl cannot be used (${run.path} is ${what}`),
    ]);
    expect(readFileSync(join(run.folder, "agent.mdx"), "utf8")).toBe(text([today()]));
  });

  test("writes down later what a folder in its way kept from the file, once", () => {
    using run = bench();
    writeFileSync(join(run.folder, "state"), "");
    const log = run.open();
    log.record(today());
    expect(log.today(noon).cost.calls).toBe(1);
    rmSync(join(run.folder, "state"));
    log.record(today({ prompt: 2 }));
    expect(readFileSync(run.path, "utf8")).toBe(text([today(), today({ prompt: 2 })]));
    expect(log.today(noon).cost.calls).toBe(2);
    expect(run.warnings).toHaveLength(1);
  });

  test("counts what a full disk cuts off, warns once, and damages no existing line", async () => {
    using run = bench();
    // A file may grow to so many blocks and no more, as on a disk that is full.
    const limited = 'trap "" XFSZ; ulimit -f 1; exec "$@"';
    const command = ["sh", "-c", limited, "sh", process.execPath, PROCESS, run.path, "full", "20"];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
    const [output, problems] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(problems).toBe("");
    expect(JSON.parse(output)).toMatchObject({ cost: { calls: 20 }, warnings: [expect.any(String)] });
    const written = run.open().today(Date.now()).cost.calls;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(20);
    const log = run.open();
    log.record(usageLine({ at: at(Date.now()) }));
    expect(run.open().today(Date.now()).cost.calls).toBe(written + 1);
  });

  test("of an ephemeral agent reads the usage of others, and writes nothing", () => {
    using run = bench();
    run.open().record(today());
    const log = run.open({ isKept: () => false });
    log.record(today({ usd: 2 }));
    expect(log.today(noon).cost).toMatchObject({ calls: 2, usd: 2.5 });
    expect(run.open().today(noon).cost.calls).toBe(1);
  });

  test("is written from the moment when it is kept, with what was not written before", () => {
    using run = bench();
    let isKept = false;
    const log = run.open({ isKept: () => isKept });
    log.record(today({ prompt: 1 }));
    expect(run.open().today(noon).cost.calls).toBe(0);
    isKept = true;
    log.record(today({ prompt: 2 }));
    expect(readFileSync(run.path, "utf8")).toBe(text([today({ prompt: 1 }), today({ prompt: 2 })]));
    expect(log.today(noon).cost.calls).toBe(2);
  });
});
