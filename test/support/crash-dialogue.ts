import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CrashResult } from "./crash-case.ts";
import type { Complaint } from "./crash-complaints.ts";
import { type CrashKill, tracer } from "./crash-kill.ts";
import { SUMMARY } from "./crash-plot.ts";
import { crashStory } from "./crash-story.ts";
import { noProcessesOf } from "./remaining-processes.ts";
import { scriptReference } from "./replies.ts";
import { cliCommand, cliEnvironment } from "./run-cli.ts";

/** A command of the conversation on the terminal, such as `/clear`, during which the program is killed. */
export interface DialogueCrash {
  readonly home: string;
  /** The agent directory to begin with. */
  readonly from: string;
  readonly command: string;
  /** What is shown when the command is done. */
  readonly isDone: RegExp;
  /** How many messages the session may have afterwards, a prompt with its answer included. */
  readonly outcomes: readonly number[];
  kill(directory: string): CrashKill;
}

/** Kills a conversation, then sends a prompt: each line of the journal is kept, in the session or in its archive. */
export async function runDialogueCrash({
  home,
  from,
  kill,
  outcomes,
  ...dialogue
}: DialogueCrash): Promise<CrashResult> {
  using story = crashStory({ home, from });
  const { directory } = story;
  const before = journalLines(directory);
  const wasKilled = await killedDialogue({ ...dialogue, home, directory, kill: kill(directory) });
  const { after, exitCode, stderr } = await story.live({ task: "c", model: "judge" });
  const kept = new Set(journalLines(directory));
  const lost = before.filter((line) => !kept.has(line));
  const messages = after.transcript?.length ?? 0;
  const complaints: Complaint[] = [
    ...lost.map((line) => ({ fault: "lost" as const, text: `no journal has ${line.slice(0, 80)}` })),
    ...(outcomes.includes(messages)
      ? []
      : [{ fault: "lost" as const, text: `${messages} messages, expected ${outcomes}` }]),
    ...(exitCode === 0 ? [] : [{ fault: "other" as const, text: stderr }]),
    ...after.drafts.map((file) => ({ fault: "other" as const, text: `${file} is left behind` })),
  ];
  return { wasKilled, complaints };
}

/** The lines of all journals, also of those in the archive. */
function journalLines(directory: string): readonly string[] {
  const session = join(directory, "sessions/main");
  const files = readdirSync(session, { recursive: true, encoding: "utf8" });
  const journals = files.filter((file) => /^journal(-\d+)?\.jsonl$/.test(basename(file)));
  return journals.flatMap((file) => readFileSync(join(session, file), "utf8").split("\n")).filter(Boolean);
}

interface KilledDialogue extends Pick<DialogueCrash, "home" | "command" | "isDone"> {
  /** The agent directory; the program stands beside it. */
  readonly directory: string;
  readonly kill: CrashKill;
}

const DEADLINE_MILLISECONDS = 100_000;

/** Starts a conversation on a pseudo-terminal, gives the command and leaves. Resolves to whether the program was killed. */
async function killedDialogue({ home, directory, command, isDone, kill }: KilledDialogue): Promise<boolean> {
  const cwd = dirname(directory);
  const model = scriptReference(cwd, [{ text: SUMMARY }]);
  let output = "";
  const child = Bun.spawn(
    [...tracer(kill), ...cliCommand(["agent", directory, "--trust", "--allow", "bash", "--model", model])],
    {
      cwd,
      env: cliEnvironment({ home }),
      timeout: DEADLINE_MILLISECONDS,
      killSignal: "SIGTERM",
      terminal: {
        cols: 80,
        rows: 24,
        data: (_terminal, data) => {
          output += new TextDecoder().decode(data);
        },
      },
    },
  );
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  for (const [shown, typed] of [
    [/> ?$/m, command],
    [isDone, "/quit"],
  ] as const) {
    while (!shown.test(Bun.stripANSI(output)) && isRunning()) await Bun.sleep(5);
    if (isRunning()) child.terminal?.write(`${typed}\r`);
  }
  await child.exited;
  child.terminal?.close();
  await noProcessesOf(cwd);
  return child.signalCode === "SIGKILL";
}
