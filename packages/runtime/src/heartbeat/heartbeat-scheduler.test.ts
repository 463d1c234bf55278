import { describe, expect, test } from "bun:test";
import { COSTLESS, DAY, HeartbeatBench, HOUR, MINUTE, tasksOf } from "../../../../test/support/heartbeat-bench.ts";

const START = "2026-11-21T08:00:00.000Z";
const QUARTER = "@every: 15m\n";
const DAILY = "## Routine Tasks\n\n- Every day at 09:00: Summary\n";

/** A bench whose runs succeed at once. */
function quick(text: string, start = START, timezone = "UTC"): HeartbeatBench {
  const bench = new HeartbeatBench(text, start, timezone);
  bench.answer = () => COSTLESS;
  return bench;
}

const skipped = (bench: HeartbeatBench): readonly unknown[] =>
  bench.lines.all.flatMap((line) => (line.type === "skipped" ? [[line.task, line.outcome, line.count]] : []));

test("the first run comes after the interval, never at the start, and then every interval", async () => {
  const bench = quick(QUARTER);
  bench.start();
  await bench.pass(15 * MINUTE - 1);
  expect(bench.began).toEqual([]);
  await bench.pass(1);
  await bench.pass(15 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:15 On Wake", "11-21T08:30 On Wake"]);
});

test("with @on-start a task also runs at each start", async () => {
  const bench = quick(`${QUARTER}@on-start\n`);
  const first = bench.start();
  await bench.pass(MINUTE);
  first.kill();
  bench.start();
  await bench.pass(15 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:00 On Wake", "11-21T08:01 On Wake", "11-21T08:15 On Wake"]);
});

test("tasks that are due at the same time share a wake, except those with directives of their own", async () => {
  const bench = quick(`${QUARTER}
## Routine Tasks

- Every day at 09:00: Summary
- Every hour: Health
- Every day at 09:00: Mail
  @session: isolated
- Every day at 09:00: Costly
  @limit: tokens=5
`);
  bench.start();
  await bench.pass(HOUR);
  expect(bench.began.slice(3)).toEqual([
    "11-21T09:00 On Wake + Summary + Health",
    "11-21T09:00 Mail",
    "11-21T09:00 Costly",
  ]);
  expect(bench.runs.map(({ wake }) => wake.session)).toEqual([undefined, undefined, undefined, undefined, "heartbeat-5", undefined]); // biome-ignore format: short
});

test("jitter makes a run late by the same time in every process, and never moves its pace", async () => {
  const text = "@every: 1h\n@jitter: 10m\n";
  const times = [];
  for (const bench of [quick(text), quick(text)]) {
    bench.start();
    await bench.pass(3 * HOUR + 10 * MINUTE, 10_000);
    times.push(bench.runs.map(({ at }) => at));
  }
  expect(times[0]).toEqual(times[1] ?? []);
  const late = (times[0] ?? []).map((at, hour) => Date.parse(at) - Date.parse(START) - (hour + 1) * HOUR);
  expect(late).toHaveLength(3);
  for (const one of late) expect(one >= 0 && one <= 10 * MINUTE + 10_000).toBe(true);
  expect(new Set(late).size).toBeGreaterThan(1);
});

test("outside of @active nothing is due, and an interval keeps its pace until the hours begin again", async () => {
  const bench = quick("@every: 45m\n@active: 08:00-10:00 Mon-Fri\n", "2026-11-20T08:00:00.000Z");
  bench.start();
  await bench.pass(4 * DAY);
  expect(bench.began).toEqual([
    "11-20T08:45 On Wake",
    "11-20T09:30 On Wake",
    "11-23T08:00 On Wake",
    "11-23T08:45 On Wake",
    "11-23T09:30 On Wake",
    "11-24T08:00 On Wake",
  ]);
  expect(skipped(bench)).toEqual([]);
});

describe("complaint: no catch-up after sleep", () => {
  test.each([
    ["once", ["11-21T08:15 On Wake", "11-24T12:05 On Wake", "11-24T12:15 On Wake"]],
    ["skip", ["11-21T08:15 On Wake", "11-24T12:15 On Wake"]],
  ])(
    "with @missed: %s, hundreds of times missed in three days of suspension are one run or none, never a storm",
    async (missed, began) => {
      const bench = quick(`${QUARTER}@missed: ${missed}\n`);
      bench.start();
      await bench.pass(20 * MINUTE);
      await bench.sleep(3 * DAY + 4 * HOUR - 15 * MINUTE - 10_000);
      await bench.pass(15 * MINUTE);
      expect(bench.began).toEqual(began);
    },
  );

  test.each([
    ["once", ["11-21T09:00 Summary", "11-24T08:30 Summary", "11-24T09:00 Summary"]],
    ["skip", ["11-21T09:00 Summary", "11-24T09:00 Summary"]],
  ])(
    "with @missed: %s, times missed while no process ran are one run or none, and the absence is news",
    async (missed, began) => {
      const bench = quick(`${DAILY}  @missed: ${missed}\n  @notify: session main\n`);
      const first = bench.start();
      await bench.pass(2 * HOUR);
      first.kill();
      bench.clock.pass(2 * DAY + 22 * HOUR + 30 * MINUTE);
      bench.start();
      await bench.pass(HOUR);
      expect(bench.began).toEqual(began);
      expect(bench.news).toEqual([
        {
          event: "absence",
          task: "Summary",
          reason:
            "2 times were missed while no process ran or the machine slept, the last one at 2026-11-23T09:00:00.000Z",
        },
      ]);
    },
  );
});

test("a restart neither repeats nor forgets: an interval counts from the last due time", async () => {
  const bench = quick(QUARTER);
  for (let restart = 0; restart < 20; restart++) {
    const process = bench.start();
    await bench.pass(4 * MINUTE);
    process.kill();
  }
  expect(bench.began.map((line) => line.slice(6, 11))).toEqual(["08:15", "08:30", "08:45", "09:00", "09:15"]); // biome-ignore format: short
});

test("a run that a killed process left is finished by the next one, as the same run", async () => {
  const bench = new HeartbeatBench(QUARTER, START);
  const first = bench.start();
  await bench.pass(15 * MINUTE);
  first.kill();
  await bench.pass(MINUTE);
  bench.start();
  await bench.pass(10_000);
  expect(bench.runs.map(({ wake }) => [wake.run, wake.isResumed])).toEqual([
    ["run-0", false],
    ["run-0", true],
  ]);
  await bench.end();
  const ended = bench.lines.all.filter(({ type }) => type === "ended");
  expect(ended).toMatchObject([{ run: "run-0", outcome: "done" }]);
  await bench.pass(15 * MINUTE);
  expect(bench.runs).toHaveLength(3);
});

test("times that pass after a process was killed during a run are reported as missed, and the resumed run counts for them", async () => {
  const bench = new HeartbeatBench(`${DAILY}  @notify: session main\n`, START);
  const first = bench.start();
  await bench.pass(HOUR);
  first.kill();
  bench.clock.pass(2 * DAY + HOUR);
  bench.start();
  await bench.pass(10_000);
  await bench.end();
  await bench.pass(HOUR);
  expect(bench.began).toEqual(["11-21T09:00 Summary", "11-23T10:00 Summary"]);
  expect(skipped(bench)).toEqual([["Summary", "missed", 2]]);
  expect(bench.news.map(({ event }) => event)).toEqual(["absence"]);
});

test("more times than are counted are missed, too", async () => {
  const bench = new HeartbeatBench("@every: 1m\n", START);
  const first = bench.start();
  await bench.pass(MINUTE);
  first.kill();
  bench.clock.pass(DAY);
  bench.start();
  await bench.pass(10_000);
  expect(skipped(bench)).toEqual([["On Wake", "missed", 1_000]]);
  expect(bench.reports.filter((text) => text.includes("1000 times were missed"))).toHaveLength(1);
});

test("what waits for a task of the same session is news once, when it begins", async () => {
  const bench = new HeartbeatBench(
    "## Routine Tasks\n\n- Every day at 09:00: Nine\n- Every day at 10:00: Ten\n",
    START,
  );
  const first = bench.start();
  await bench.pass(HOUR);
  first.kill();
  bench.clock.pass(5 * HOUR);
  bench.start();
  await bench.pass(5 * MINUTE);
  await bench.end();
  await bench.pass(5 * MINUTE);
  expect(bench.reports.filter((text) => text.startsWith("Ten: one time was missed"))).toHaveLength(1);
});

test("a time whose run begins late by jitter is not missed if a process starts in between", async () => {
  const bench = quick("@every: 15m\n@jitter: 10m\n");
  const first = bench.start();
  await bench.pass(15 * MINUTE + 1_000);
  first.kill();
  expect(bench.began).toEqual([]);
  bench.start();
  await bench.pass(10 * MINUTE);
  expect(bench.began).toHaveLength(1);
  expect(bench.reports).toEqual([]);
});

test("times that pass in a run after the clock was set back are not missed", async () => {
  const bench = new HeartbeatBench(QUARTER, START);
  bench.start();
  await bench.pass(15 * MINUTE);
  bench.clock.set("2026-11-20T08:00:00.000Z");
  await bench.pass(HOUR);
  expect(skipped(bench)).toContainEqual(["On Wake", "overlap", 1]);
  expect(bench.reports).toEqual([]);
});

test("complaint: overlapping runs: a task never overlaps itself, and what came due meanwhile is recorded, not made up for", async () => {
  const bench = new HeartbeatBench(QUARTER, START);
  bench.start();
  await bench.pass(65 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:15 On Wake"]);
  await bench.end();
  await bench.pass(10 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:15 On Wake", "11-21T09:15 On Wake"]);
  expect(skipped(bench)).toEqual([
    ["On Wake", "overlap", 1],
    ["On Wake", "overlap", 1],
    ["On Wake", "overlap", 1],
  ]);
});

test("what comes due in a shared wake shares the next one", async () => {
  const text = "@every: 50m\n\n## Routine Tasks\n\n- Every day at 09:00: Nine\n- Every day at 10:00: Ten\n";
  const bench = new HeartbeatBench(text, START);
  bench.start();
  await bench.pass(3 * HOUR);
  expect(bench.began).toEqual(["11-21T08:50 On Wake"]);
  await bench.end();
  expect(bench.began[1]).toBe("11-21T11:00 Nine + Ten");
});

describe("when the clock is set", () => {
  test("back by years, nothing waits longer than its interval or its next time of day", async () => {
    const bench = quick(`@every: 5h\n\n${DAILY}`, "2030-01-01T12:00:00.000Z");
    bench.start();
    await bench.pass(MINUTE);
    bench.clock.set(START);
    await bench.pass(5 * HOUR + MINUTE);
    expect(bench.began).toEqual(["11-21T09:00 Summary", "11-21T13:00 On Wake"]);
  });

  test("back by years, a failed task does not wait for the retry of then", async () => {
    const bench = new HeartbeatBench("@every: 5h\n", "2030-01-01T12:00:00.000Z");
    bench.answer = () => ({ ...COSTLESS, outcome: "error" });
    bench.start();
    await bench.pass(5 * HOUR + MINUTE / 2);
    bench.clock.set(START);
    bench.answer = () => ({ ...COSTLESS, outcome: "done" });
    await bench.pass(5 * HOUR + MINUTE);
    expect(bench.began).toEqual(["01-01T17:00 On Wake", "11-21T13:00 On Wake"]);
  });

  test("back by a few seconds, no task of the day runs twice", async () => {
    const bench = quick(DAILY);
    bench.start();
    await bench.pass(HOUR);
    bench.clock.set("2026-11-21T08:59:50.000Z");
    await bench.pass(10 * HOUR);
    expect(bench.began).toEqual(["11-21T09:00 Summary"]);
  });

  test("forward by a day, what was missed runs once", async () => {
    const bench = quick(`${QUARTER}\n${DAILY}`);
    bench.start();
    await bench.pass(MINUTE);
    bench.clock.set("2026-11-22T12:00:00.000Z");
    await bench.pass(MINUTE);
    expect(bench.began).toEqual(["11-22T12:00 On Wake + Summary"]);
  });
});

describe("daylight saving time in Vienna", () => {
  const text = "## Routine Tasks\n\n- 30 2 * * *: Night\n- Every day at 09:00: Summary\n";

  test("a time that the clock skips is due when the clock has passed it", async () => {
    const bench = quick(text, "2026-03-28T12:00:00.000Z", "Europe/Vienna");
    bench.start();
    await bench.pass(2 * DAY);
    expect(bench.began).toEqual(["03-29T01:00 Night", "03-29T07:00 Summary", "03-30T00:30 Night", "03-30T07:00 Summary"]); // biome-ignore format: short
  });

  test("a time that the clock repeats is due once", async () => {
    const bench = quick(text, "2026-10-24T12:00:00.000Z", "Europe/Vienna");
    bench.start();
    await bench.pass(2 * DAY);
    expect(bench.began).toEqual(["10-25T00:30 Night", "10-25T08:00 Summary", "10-26T01:30 Night", "10-26T08:00 Summary"]); // biome-ignore format: short
  });

  test("each task can have a time zone of its own", async () => {
    const bench = quick("@timezone: Asia/Tokyo\n0 9 * * *\n\n## Routine Tasks\n\n- Every day at 09:00: a\n- Every day at 09:00: b\n  @timezone: Europe/Vienna\n"); // biome-ignore format: short
    bench.start();
    await bench.pass(DAY);
    expect(bench.began).toEqual(["11-22T00:00 On Wake + a", "11-22T08:00 b"]);
  });
});

test("a task of the leap day runs every four years", async () => {
  const bench = quick("## Routine Tasks\n\n- 0 9 29 2 *: Leap\n", "2026-01-01T00:00:00.000Z");
  bench.start();
  bench.clock.set("2028-02-29T08:59:00.000Z");
  await bench.pass(2 * MINUTE);
  expect(bench.began).toEqual(["02-29T09:00 Leap"]);
});

describe("errors", () => {
  test("back off for 1, 5 and 30 minutes, and are shown", async () => {
    const bench = new HeartbeatBench(DAILY, START);
    bench.answer = () => ({ ...COSTLESS, outcome: "error", reason: "the model is away" });
    bench.start();
    await bench.pass(HOUR + 70 * MINUTE);
    expect(bench.began.map((line) => line.slice(6, 11))).toEqual(["09:00", "09:01", "09:06", "09:36", "10:06"]);
    expect(bench.reports.slice(0, 3)).toEqual([
      "Summary failed (error): the model is away; it runs again in 1 min",
      "Summary failed (error): the model is away; it runs again in 5 min",
      "Summary failed (error): the model is away; it runs again in 30 min",
    ]);
  });

  test("times within the back-off are accounted for, and do not run besides the retry", async () => {
    const bench = new HeartbeatBench("@every: 2m\n", START);
    let failures = 3;
    bench.answer = () => ({ ...COSTLESS, outcome: failures-- > 0 ? "error" : "done" });
    bench.start();
    await bench.pass(42 * MINUTE);
    expect(bench.began.map((line) => line.slice(6, 11))).toEqual([
      "08:02",
      "08:03",
      "08:08",
      "08:38",
      "08:40",
      "08:42",
    ]);
    expect(skipped(bench)).toHaveLength(16);
  });

  test("notify once of a failure and once of the recovery, also across a restart", async () => {
    const bench = new HeartbeatBench(`${QUARTER}@notify: session main\n`, START);
    let fails = true;
    bench.answer = () => ({ ...COSTLESS, ...(fails && { outcome: "error", reason: "no key" }) });
    const first = bench.start();
    await bench.pass(17 * MINUTE);
    first.kill();
    bench.start();
    await bench.pass(10 * MINUTE);
    fails = false;
    await bench.pass(40 * MINUTE);
    expect(bench.news).toEqual([
      { event: "failure", task: "On Wake", reason: "no key" },
      { event: "recovered", task: "On Wake", reason: "done" },
    ]);
  });

  test("of a limit or a refused result wait for the next time: trying again at once would cost the same again", async () => {
    const bench = new HeartbeatBench(QUARTER, START);
    bench.answer = () => ({ ...COSTLESS, outcome: "unmet", reason: "no file" });
    bench.start();
    await bench.pass(30 * MINUTE);
    expect(bench.began.map((line) => line.slice(6, 11))).toEqual(["08:15", "08:30"]);
  });
});

describe("limits of the day", () => {
  test("stop further runs until the next day in the time zone, and say so", async () => {
    const bench = new HeartbeatBench("@every: 6h\n@limit: day tokens=100\n", "2026-11-21T00:00:00.000Z", "Asia/Tokyo");
    bench.answer = () => ({ outcome: "done", usd: 0.1, tokens: 60 });
    bench.start();
    await bench.pass(DAY);
    // Midnight in Tokyo is at 15:00 UTC.
    expect(bench.began.map((line) => line.slice(0, 11))).toEqual(["11-21T06:00", "11-21T12:00", "11-21T18:00", "11-22T00:00"]); // biome-ignore format: short
    await bench.pass(8 * HOUR);
    expect(bench.runs).toHaveLength(4);
    expect(bench.reports).toEqual(["On Wake: the limit of the day is reached (tokens=100)"]);
    expect(bench.runs.map(({ wake }) => wake.left)).toEqual([{ tokens: 100 }, { tokens: 40 }, { tokens: 100 }, { tokens: 40 }]); // biome-ignore format: short
  });
});

test("complaint: N replicas that fire N times: of two processes one wakes, and the other takes over within 30 s of its death", async () => {
  const bench = quick(QUARTER);
  const first = bench.start();
  bench.start();
  bench.start();
  await bench.pass(30 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:15 On Wake", "11-21T08:30 On Wake"]);
  first.kill();
  await bench.pass(14 * MINUTE + 30_000);
  bench.clock.pass(30_000);
  await bench.pass(10_000, 10_000);
  expect(bench.began.slice(2)).toEqual(["11-21T08:45 On Wake"]);
});

test("a pause that another process writes stops all runs, and what was due meanwhile does not come later", async () => {
  const bench = quick(`${QUARTER}\n${DAILY}`);
  bench.start();
  await bench.pass(20 * MINUTE);
  const other = bench.lines.open();
  other.append([{ type: "paused", at: new Date(bench.clock.now()).toISOString() }]);
  await bench.pass(2 * HOUR);
  expect(bench.began).toEqual(["11-21T08:15 On Wake"]);
  other.append([{ type: "resumed", at: new Date(bench.clock.now()).toISOString() }]);
  await bench.pass(15 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:15 On Wake", "11-21T10:30 On Wake"]);
});

test("a run that another process asks for comes within 10 s, and moves no other time", async () => {
  const bench = quick(QUARTER);
  bench.start();
  await bench.pass(MINUTE);
  bench.lines.open().append([{ type: "asked", at: new Date(bench.clock.now()).toISOString(), task: "On Wake" }]);
  await bench.pass(10_000);
  await bench.pass(14 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:01 On Wake", "11-21T08:15 On Wake"]);
});

test("lines that cannot be written are reported, and the runs go on", async () => {
  const bench = quick(QUARTER);
  bench.lines.isBroken = true;
  bench.start();
  await bench.pass(30 * MINUTE);
  expect(bench.runs).toHaveLength(2);
  expect(bench.reports[0]).toBe("state/heartbeat.jsonl could not be written: the disk is full");
});

test("complaint: a scheduler that dies silently: after an error of its own it is shown, and the next look runs what is due", async () => {
  const bench = quick(QUARTER);
  let isBroken = true;
  const [task] = tasksOf(QUARTER);
  bench.start({
    tasks: () => {
      if (isBroken) throw new Error("no tasks");
      return task === undefined ? [] : [task];
    },
  });
  await bench.pass(MINUTE);
  isBroken = false;
  await bench.pass(16 * MINUTE);
  expect(bench.began).toEqual(["11-21T08:16 On Wake"]);
  expect(new Set(bench.reports)).toEqual(new Set(["the tasks could not be looked at, and will be again: no tasks"]));
});

test("nothing runs after stop, and no timer is left", async () => {
  const bench = new HeartbeatBench(QUARTER, START);
  const process = bench.start();
  await bench.pass(15 * MINUTE);
  process.scheduler.stop();
  await bench.end();
  await bench.pass(HOUR);
  expect([bench.runs.length, bench.clock.timers]).toEqual([1, 0]);
});
