// `npm run test:crash [-- --seed N] [--moments N]`: kills the program at every boundary and at random moments, and judges
// what is left. Closes with a table and a line that counts the kills.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CrashResult, runCrash } from "../support/crash-case.ts";
import { runCommandCrash } from "../support/crash-command.ts";
import { FAULTS } from "../support/crash-complaints.ts";
import { runDialogueCrash } from "../support/crash-dialogue.ts";
import { measuredDuration, prepareGrounds } from "../support/crash-grounds.ts";
import type { CrashKill } from "../support/crash-kill.ts";
import { randomMoments, randomNumbers } from "../support/crash-moments.ts";
import { inPairs } from "../support/crash-pairs.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { BOUNDARIES, type Boundary, FILE_CALLS, LINES } from "./boundaries.ts";
import { COMMANDS, type CommandBoundary, DIALOGUES, type DialogueBoundary } from "./commands.ts";

/** A kind of kill, and what came of those. */
interface Row {
  readonly name: string;
  readonly results: readonly CrashResult[];
}

const { values } = parseArgs({ options: { seed: { type: "string" }, moments: { type: "string" } } });
const seed = wholeNumber(values.seed) ?? Math.floor(Math.random() * 2 ** 32);
const count = wholeNumber(values.moments) ?? 300;

using workshop = temporaryDirectory();
const home = join(workshop.path, "home");
const grounds = await prepareGrounds(workshop.path, home);
const rows: Row[] = [];
for (const boundary of BOUNDARIES) rows.push(told({ name: boundary.name, results: await everyTimeOf(boundary) }));
for (const boundary of COMMANDS) rows.push(told({ name: boundary.name, results: await everyTimeIn(boundary) }));
for (const boundary of DIALOGUES) rows.push(told({ name: boundary.name, results: await everyTimeWith(boundary) }));
const duration = await measuredDuration(grounds.used, home);
console.log(`${count} random moments within ${Math.round(duration)} ms, --seed ${seed}`);
const moments = randomMoments({ count, random: randomNumbers(seed), home, used: grounds.used, duration });
rows.push(told({ name: "at a random moment", results: await inPairs(moments, runCrash) }));
console.log(`\n${table(rows)}`);
const results = rows.flatMap((row) => row.results);
// Where nothing was killed, nothing was shown.
const empty = rows.filter((row) => killsOf(row) === 0);
for (const { name } of empty) console.log(`no kill ${name}`);
const failed = results.filter(({ complaints }) => complaints.length > 0).length + empty.length;
console.log(`\n${results.length + empty.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Somebody asks to finish the prompt, or sends the next one, in turn. */
function everyTimeOf({ kills, ground, task }: Boundary): Promise<readonly CrashResult[]> {
  const crash = { home, task, ...(ground && { from: grounds[ground] }) };
  return everyTime(kills, (kill, number) => runCrash({ ...crash, kill, next: number % 2 === 0 ? "resume" : "prompt" }));
}

function everyTimeIn({ ground, command, outcome }: CommandBoundary): Promise<readonly CrashResult[]> {
  const crash = { home, from: grounds[ground], command, outcome };
  return everyTime([...FILE_CALLS, ...LINES], (kill) => runCommandCrash({ ...crash, kill }));
}

function everyTimeWith({ ground, command, isDone, outcomes }: DialogueBoundary): Promise<readonly CrashResult[]> {
  const crash = { home, from: grounds[ground], command, isDone, outcomes };
  return everyTime([...FILE_CALLS, ...LINES], (kill) => runDialogueCrash({ ...crash, kill }));
}

/** Kills at the first, the second … time, until a run is not killed any more; so with each kind of kill. */
async function everyTime(kinds: Boundary["kills"], run: CrashRun): Promise<readonly CrashResult[]> {
  const results: CrashResult[] = [];
  for (const kind of kinds) {
    const killed = (number: number): Promise<CrashResult> => run((directory) => kind(directory, number), number);
    for (let number = 1, goesOn = true; goesOn; number += 2) {
      const pair = await inPairs([number, number + 1], killed);
      results.push(...pair.filter(({ wasKilled, complaints }) => wasKilled || complaints.length > 0));
      goesOn = pair.every(({ wasKilled }) => wasKilled);
    }
  }
  return results;
}

type CrashRun = (kill: (directory: string) => CrashKill, number: number) => Promise<CrashResult>;

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new Error(`unexpected ${JSON.stringify(text)}, expected a whole number`);
}

function killsOf({ results: found }: Row): number {
  return found.filter(({ wasKilled }) => wasKilled).length;
}

function told(row: Row): Row {
  console.log(`${row.name}: ${killsOf(row)} kills`);
  for (const [place, { complaints }] of row.results.entries()) {
    for (const { fault, text } of complaints) console.log(`  ${place + 1}: ${fault}: ${text}`);
  }
  return row;
}

function table(all: readonly Row[]): string {
  const cells = all.map((row) => [
    row.name,
    killsOf(row),
    ...FAULTS.map(
      (fault) => row.results.filter(({ complaints }) => complaints.some((one) => one.fault === fault)).length,
    ),
  ]);
  const lines = [["killed", "kills", ...FAULTS], ["---", "---", ...FAULTS.map(() => "---")], ...cells];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
