import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CrashCase, journalOf, lineKill, runCrash } from "../support/crash-case.ts";
import { measuredDuration, prepareGrounds } from "../support/crash-grounds.ts";
import { crashJudge } from "../support/crash-judge.ts";
import type { CrashKill } from "../support/crash-kill.ts";
import { randomMoments, randomNumbers } from "../support/crash-moments.ts";
import { inPairs } from "../support/crash-pairs.ts";
import type { Standstill } from "../support/crash-plot.ts";
import { crashStory } from "../support/crash-story.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const workshop = temporaryDirectory();
const home = join(workshop.path, "home");
const grounds = await prepareGrounds(workshop.path, home);

afterAll(() => workshop[Symbol.dispose]());

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const journaled = (text: string) => (directory: string) => () => textOf(journalOf(directory)).includes(text);
const told = (text: string) => () => (stdout: string) => stdout.includes(text);

/** Moments of a prompt, where it stands still there, and what shows that it has come. */
const MOMENTS: readonly [
  name: string,
  standstill: Standstill,
  isSeen: (directory: string) => (stdout: string) => boolean,
][] = [
  ["after the user message", "b1:asked", journaled('"prompt":2,"step":"begin"')],
  ["in the stream of the model", "b1:streaming", told('"delta":"Five "')],
  ["inside a tool, with others of its message done", "call b1-slow", journaled('"step":"tool:1:b1-bash","result"')],
  ["while a repetition waits for its time", "b2:retry", told('"type":"model_retry"')],
  ["after the results of tools", "b2:asked", journaled('"step":"retry:2#2"')],
  ["in a compaction", "b3:summary", journaled('"step":"tool:2:b2-note","result"')],
  ["after a compaction", "b3:asked", journaled('"step":"compact:3","result"')],
  ["in the last answer", "b4:streaming", told('"delta":"All "')],
];

describe.each(["resume", "prompt"] as const)("when %s comes next", (next) => {
  test.each([...MOMENTS])(
    "a kill %s loses nothing and runs nothing twice, and the prompt is finished from there",
    async (_name, standstill, isSeen) => {
      const kill = (directory: string): CrashKill => ({ at: "sign", isSeen: isSeen(directory) });
      const result = await runCrash({ home, from: grounds.used, task: "b", standstill, kill, next });
      expect(result).toEqual({ wasKilled: true, complaints: [] });
    },
  );
});

test("--resume finishes what a kill interrupted, prints the answer, and reports what was interrupted, once", async () => {
  using story = crashStory({ home, from: grounds.cut });
  using judge = crashJudge();
  const resume = ["agent", story.directory, "--trust", "--resume", "--model", "anthropic/claude-test"];
  const first = await runCommandLine(resume, { home, environment: judge.environment });
  expect(first).toMatchObject({ exitCode: 0, stdout: "All is noted.\n" });
  expect(first.stderr).toContain('interrupted: "prompt b" (the outcome of note is unknown)');
  expect(judge.questions.map(({ turn }) => turn)).toStrictEqual(["b2", "summary", "b3", "b4"]);
  const second = await runCommandLine(resume, { home, environment: judge.environment });
  expect(second).toMatchObject({ exitCode: 0, stdout: "" });
  expect(second.stderr).toContain("nothing to resume");
  expect(judge.questions).toHaveLength(4);
});

test("a kill at any moment, and one more while the prompt is resumed, loses nothing and runs nothing twice", async () => {
  const random = randomNumbers(20_280_428);
  const duration = await measuredDuration(grounds.used, home);
  const results = await inPairs(randomMoments({ count: 3, random, home, used: grounds.used, duration }), runCrash);
  expect(results.flatMap(({ complaints }) => complaints)).toEqual([]);
});

describe.skipIf(requireProgram("strace"))("exactly between two system calls", () => {
  test.each(["before", "after"] as const)(
    "a kill %s a line of the journal loses nothing and runs nothing twice",
    async (side) => {
      const cases = [1, 6, 23].map(
        (number): CrashCase => ({
          home,
          from: grounds.used,
          task: "b",
          kill: (directory) => lineKill(directory, number, side),
          next: number % 2 === 0 ? "resume" : "prompt",
        }),
      );
      const results = await inPairs(cases, runCrash);
      expect(results).toEqual(cases.map(() => ({ wasKilled: true, complaints: [] })));
    },
  );

  test("a kill while history.json is written anew leaves one that the next start writes", async () => {
    const kill = (): CrashKill => ({ at: "call", name: "?rename,?renameat,?renameat2", number: 1 });
    const result = await runCrash({ home, from: grounds.misread, task: "b", kill, next: "prompt" });
    expect(result).toEqual({ wasKilled: true, complaints: [] });
  });
});
