import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EMPTY_HEARTBEAT, HeartbeatBench, HOUR, MINUTE, routine } from "../../support/heartbeat-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const START = "2026-11-21T08:00:00.000Z";
const QUARTER = { ...EMPTY_HEARTBEAT, interval: 15 * MINUTE };

test("wakes first after the interval, and then every interval", async () => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, { definition: QUARTER });
  await bench.start();
  bench.clock.pass(15 * MINUTE - 1);
  expect(bench.messages).toHaveLength(0);
  bench.clock.pass(1);
  expect(bench.messages).toHaveLength(1);
  bench.clock.pass(2 * MINUTE);
  await bench.answer();
  bench.clock.pass(13 * MINUTE - 1);
  expect(bench.messages).toHaveLength(1);
  bench.clock.pass(1);
  expect(bench.messages).toHaveLength(2);
});

test.each([
  ["30m", 30],
  ["@every 1h30m", 90],
  ["@every: 2h", 120],
])("the settings' schedule %s wakes an agent without heartbeat.md", async (schedule, minutes) => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, { settings: { schedule } });
  await bench.start();
  bench.clock.pass(minutes * MINUTE - 1);
  expect(bench.messages).toHaveLength(0);
  bench.clock.pass(1);
  expect(bench.messages).toHaveLength(1);
});

test("the interval of heartbeat.md goes before the settings' schedule", async () => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, { definition: QUARTER, settings: { schedule: "1m" } });
  await bench.start();
  bench.clock.pass(14 * MINUTE);
  expect(bench.messages).toHaveLength(0);
});

test.each([
  ["without heartbeat.md and schedule", {}],
  ["with an empty heartbeat.md", { definition: EMPTY_HEARTBEAT }],
  ["with an empty heartbeat.md in spite of a schedule", { definition: EMPTY_HEARTBEAT, settings: { schedule: "1m" } }],
  ["with tasks but no time", { definition: { ...EMPTY_HEARTBEAT, onWake: ["Look around"] } }],
  ["under wakes: false", { definition: { ...QUARTER, routines: [routine("Daily", "0 9 * * *")] }, wakes: false }],
])("%s it never wakes, sets no timer and says nothing", async (_name, options) => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, options);
  await bench.start();
  expect(bench.clock.timers).toBe(0);
  bench.clock.pass(48 * HOUR);
  bench.module.stop();
  expect([bench.messages, bench.warnings, bench.logged, readdirSync(agent.path)]).toEqual([[], [], [], []]);
});

test("routine tasks wake at their times of day in the settings' time zone", async () => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, "2026-03-28T07:59:00.000Z", {
    definition: { ...EMPTY_HEARTBEAT, routines: [routine("Daily summary", "0 9 * * *")] },
    settings: { timezone: "Europe/Vienna" },
  });
  await bench.start();
  bench.clock.pass(MINUTE);
  expect(bench.messages).toHaveLength(1);
  expect(bench.messages[0]).toContain("It is 2026-03-28 09:00 (Europe/Vienna).");
  expect(bench.messages[0]).toContain("## Routine Tasks due now\n\n- Daily summary");
  await bench.answer();
  // The night between has one hour less.
  bench.clock.pass(23 * HOUR - 1);
  expect(bench.messages).toHaveLength(1);
  bench.clock.pass(1);
  expect(bench.messages[1]).toContain("It is 2026-03-29 09:00 (Europe/Vienna).");
});

test("an hourly task wakes every hour, first after an hour", async () => {
  using agent = temporaryDirectory();
  const definition = { ...EMPTY_HEARTBEAT, routines: [routine("Check health", HOUR)] };
  const bench = new HeartbeatBench(agent.path, START, { definition });
  await bench.start();
  for (let count = 1; count <= 3; count++) {
    bench.clock.pass(HOUR - 1);
    expect(bench.messages).toHaveLength(count - 1);
    bench.clock.pass(1);
    expect(bench.messages).toHaveLength(count);
    await bench.answer();
  }
});

test("what is due at the same time is one wake", async () => {
  using agent = temporaryDirectory();
  const routines = [routine("Summary", "0 9 * * *"), routine("Health", HOUR), routine("Later", "0 10 * * *")];
  const bench = new HeartbeatBench(agent.path, START, { definition: { ...QUARTER, interval: HOUR, routines } });
  await bench.start();
  bench.clock.pass(HOUR);
  await bench.answer();
  expect(bench.messages).toHaveLength(1);
  expect(bench.messages[0]).toContain("- Summary\n- Health");
  expect(bench.messages[0]).not.toContain("Later");
  expect(bench.records()).toEqual([
    {
      at: "2026-11-21T09:00:00.000Z",
      reason: "interval; routine: Summary; routine: Health",
      outcome: "done",
      durationMs: 0,
    },
  ]);
});

test("what becomes due while a wake runs is handled in one wake afterwards", async () => {
  using agent = temporaryDirectory();
  const routines = [routine("Nine", "0 9 * * *"), routine("Ten", "0 10 * * *")];
  const bench = new HeartbeatBench(agent.path, START, {
    definition: { ...EMPTY_HEARTBEAT, interval: 50 * MINUTE, routines },
  });
  await bench.start();
  bench.clock.pass(50 * MINUTE);
  expect(bench.messages).toHaveLength(1);
  bench.clock.pass(3 * HOUR);
  expect(bench.messages).toHaveLength(1);
  await bench.answer();
  expect(bench.messages).toHaveLength(2);
  expect(bench.messages[1]).toContain("- Nine\n- Ten");
  await bench.answer();
  // The interval that its own wake outlasted starts anew at its end.
  expect(bench.messages).toHaveLength(2);
  bench.clock.pass(50 * MINUTE - 1);
  expect(bench.messages).toHaveLength(2);
  bench.clock.pass(1);
  expect(bench.messages).toHaveLength(3);
});

test("after a sleep of the machine, what was missed is caught up once", async () => {
  using agent = temporaryDirectory();
  const definition = { ...QUARTER, routines: [routine("Daily summary", "0 9 * * *")] };
  const bench = new HeartbeatBench(agent.path, START, { definition });
  await bench.start();
  bench.clock.pass(MINUTE);
  bench.clock.set("2026-11-24T12:00:00.000Z");
  bench.clock.pass(MINUTE);
  expect(bench.messages).toHaveLength(1);
  expect(bench.messages[0]).toContain("- Daily summary");
  await bench.answer();
  bench.clock.pass(15 * MINUTE - 1);
  expect(bench.messages).toHaveLength(1);
  bench.clock.pass(1);
  expect(bench.messages[1]).not.toContain("Daily summary");
});

test("a clock that is set back makes nothing wait longer than its interval or its next time of day", async () => {
  using agent = temporaryDirectory();
  const definition = { ...QUARTER, interval: 5 * HOUR, routines: [routine("Daily summary", "0 9 * * *")] };
  const bench = new HeartbeatBench(agent.path, "2030-01-01T12:00:00.000Z", { definition });
  await bench.start();
  bench.clock.set("2026-11-21T08:00:00.000Z");
  bench.clock.pass(HOUR + MINUTE);
  expect(bench.messages).toHaveLength(1);
  expect(bench.messages[0]).toContain("- Daily summary");
  await bench.answer();
  bench.clock.pass(4 * HOUR);
  expect(bench.messages).toHaveLength(2);
});

test("a small correction of the clock does not run a task of the day twice", async () => {
  using agent = temporaryDirectory();
  const definition = { ...EMPTY_HEARTBEAT, routines: [routine("Daily summary", "0 9 * * *")] };
  const bench = new HeartbeatBench(agent.path, START, { definition });
  await bench.start();
  bench.clock.pass(HOUR);
  await bench.answer();
  bench.clock.set("2026-11-21T08:59:50.000Z");
  bench.clock.pass(10 * HOUR);
  expect(bench.messages).toHaveLength(1);
});

test("a wake that fails is logged, and the next comes as planned", async () => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, { definition: QUARTER });
  await bench.start();
  bench.clock.pass(15 * MINUTE);
  await bench.answer(new Error("the model\nis away"));
  expect(bench.logged).toEqual(["the wake failed: the model\\nis away", "woke (interval): error after 0 ms"]);
  bench.clock.pass(15 * MINUTE);
  expect(bench.messages).toHaveLength(2);
  bench.clock.pass(MINUTE);
  await bench.answer("error");
  bench.clock.pass(14 * MINUTE);
  expect(bench.messages).toHaveLength(3);
  expect(bench.records()).toEqual([
    { at: "2026-11-21T08:15:00.000Z", reason: "interval", outcome: "error", durationMs: 0 },
    { at: "2026-11-21T08:30:00.000Z", reason: "interval", outcome: "error", durationMs: MINUTE },
  ]);
});

test("nothing wakes after stop, neither from a timer nor after a wake that ran", async () => {
  using agent = temporaryDirectory();
  const waiting = new HeartbeatBench(agent.path, START, { definition: QUARTER });
  await waiting.start();
  waiting.module.stop();
  expect(waiting.clock.timers).toBe(0);

  const running = new HeartbeatBench(agent.path, START, { definition: QUARTER });
  await running.start();
  running.clock.pass(15 * MINUTE);
  running.module.stop();
  running.clock.pass(HOUR);
  void running.answer("aborted");
  while (running.records().length === 0) await Bun.sleep(1);
  await Bun.sleep(1);
  expect([running.messages.length, running.clock.timers]).toEqual([1, 0]);
});

test("the record of wakes is its owner's alone, and an ephemeral agent keeps none", async () => {
  using agent = temporaryDirectory();
  const kept = new HeartbeatBench(agent.path, START, { definition: QUARTER });
  await kept.start();
  kept.clock.pass(15 * MINUTE);
  await kept.answer();
  expect(statSync(join(agent.path, "state/heartbeat.jsonl")).mode & 0o777).toBe(0o600);
  expect(statSync(join(agent.path, "state")).mode & 0o777).toBe(0o700);

  using other = temporaryDirectory();
  const ephemeral = new HeartbeatBench(other.path, START, { definition: QUARTER, ephemeral: true });
  await ephemeral.start();
  ephemeral.clock.pass(15 * MINUTE);
  await ephemeral.answer();
  expect(readdirSync(other.path)).toEqual([]);
});

test("a record that cannot be written is a warning, and the wakes go on", async () => {
  using agent = temporaryDirectory();
  writeFileSync(join(agent.path, "state"), "a file in the way");
  const bench = new HeartbeatBench(agent.path, START, { definition: QUARTER });
  await bench.start();
  bench.clock.pass(15 * MINUTE);
  await bench.answer();
  expect(bench.warnings).toHaveLength(1);
  expect(bench.warnings[0]).toStartWith("heartbeat: state/heartbeat.jsonl could not be written: ");
  bench.clock.pass(15 * MINUTE);
  expect(bench.messages).toHaveLength(2);
});

test("a routine whose time cannot be computed is left out with a warning, and the others wake", async () => {
  using agent = temporaryDirectory();
  mkdirSync(join(agent.path, "state"));
  const routines = [routine("Broken", "every day"), routine("Never", "0 0 30 2 *"), routine("Good", "0 9 * * *")];
  const bench = new HeartbeatBench(agent.path, START, { definition: { ...EMPTY_HEARTBEAT, routines } });
  await bench.start();
  expect(bench.warnings[0]).toStartWith('heartbeat: the routine task "Broken" is left out: ');
  expect(bench.warnings[1]).toBe('heartbeat: the routine task "Never" is left out: "0 0 30 2 *" never comes due');
  expect(bench.warnings).toHaveLength(2);
  bench.clock.pass(HOUR);
  expect(bench.messages[0]).toContain("- Good");
});

test("an unknown time zone is a warning, and times are in the machine's time zone", async () => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, { definition: QUARTER, settings: { timezone: "Mars/Base" } });
  await bench.start();
  expect(bench.warnings).toEqual(["heartbeat: unknown time zone Mars/Base; using the time zone of this machine"]);
  bench.clock.pass(15 * MINUTE);
  expect(bench.messages).toHaveLength(1);
});

test("an interval of nothing does not wake without end", async () => {
  using agent = temporaryDirectory();
  const bench = new HeartbeatBench(agent.path, START, { definition: { ...EMPTY_HEARTBEAT, interval: 0 } });
  await bench.start();
  expect(bench.messages).toHaveLength(0);
  bench.clock.pass(1_000);
  expect(bench.messages).toHaveLength(1);
});

test("the system prompt mentions the heartbeat in the same words with and without wakes, and not at all without one", () => {
  const section = (options: object): string => new HeartbeatBench("/", START, options).module.systemPrompt();
  expect(section({ definition: QUARTER })).toContain("[heartbeat]");
  expect(section({ definition: QUARTER, wakes: false })).toBe(section({ definition: QUARTER }));
  expect(section({})).toBe("");
});
