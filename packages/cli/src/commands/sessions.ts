import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { forkSession, listSessions, readSession, renameSession, rewindSession } from "@mdx-ai/runtime";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption } from "../arguments/number-option.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { UsageError } from "../failures/usage-error.ts";
import { NEW_SESSION } from "../opening/session-words.ts";
import { jsonText } from "../output/json-text.ts";
import { createPaint } from "../output/paint.ts";
import { plainLine } from "../plain-text.ts";
import { deleteAsked } from "../sessions/delete-session.ts";
import { exportSession } from "../sessions/export-session.ts";
import { catalogReport } from "../sessions/session-report.ts";
import { sessionText } from "../sessions/session-text.ts";
import { sessionsText } from "../sessions/sessions-text.ts";
import { verify } from "../sessions/verify-sessions.ts";
import { warn } from "../trust/ensure-trust.ts";

/** A call of an action with as many arguments as it takes. */
interface ActionRun {
  /** Absolute. */
  readonly agentDir: string;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

interface Action {
  /** Its arguments, as in the help; those in brackets are optional. */
  readonly words: readonly string[];
  /** The options that it takes. */
  readonly options: readonly string[];
  /** Returns the exit code; 0 if absent. */
  readonly run: (run: ActionRun) => void | Promise<void> | Promise<number>;
}

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["list", { words: [], options: ["json"], run: list }],
  ["show", { words: ["ID"], options: [], run: show }],
  ["export", { words: ["ID"], options: ["format", "output"], run: exportSession }],
  ["fork", { words: ["ID", "NEW"], options: ["at"], run: fork }],
  ["rewind", { words: ["ID"], options: ["to"], run: rewind }],
  ["rename", { words: ["ID", "NEW"], options: [], run: rename }],
  ["delete", { words: ["ID"], options: ["yes"], run: deleteAsked }],
  ["verify", { words: ["[ID]"], options: ["check", "json"], run: verify }],
]);

/** `mdx-ai sessions`: the conversations with an agent. Runs no code of the directory; `list` updates summaries, `show` and `export` change nothing in it. */
export async function runSessions(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [directory = ".", name = "list", ...words] = args.positionals;
  const action = ACTIONS.get(name);
  if (action === undefined) {
    throw new UsageError(`there is no action ${JSON.stringify(name)}; there are: ${[...ACTIONS.keys()].join(", ")}`);
  }
  checkWords(name, action, words);
  checkOptions(name, action, args);
  const exitCode = await action.run({ agentDir: agentDirectory(directory, context), words, args, context });
  return context.interruption.exitCode ?? exitCode ?? EXIT_CODE.done;
}

function checkWords(name: string, action: Action, words: readonly string[]): void {
  const needed = action.words.filter((word) => !word.startsWith("["));
  if (words.length >= needed.length && words.length <= action.words.length) return;
  throw new UsageError(
    `wrong arguments of sessions ${name}; write: mdx-ai sessions DIR ${[name, ...action.words].join(" ")}`,
  );
}

function checkOptions(name: string, action: Action, args: ParsedArguments): void {
  const given = [...args.values.keys(), ...args.switches].filter((option) => option !== "debug");
  const stray = given.find((option) => !action.options.includes(option));
  if (stray !== undefined) throw new UsageError(`--${stray} is no option of sessions ${name}; leave it out`);
}

function agentDirectory(directory: string, context: CommandContext): string {
  const path = resolve(context.currentDirectory, directory);
  if (existsSync(join(path, "agent.mdx"))) return path;
  throw new UsageError(`${path} is no agent directory: it has no agent.mdx`);
}

function list({ agentDir, args, context }: ActionRun): void {
  const catalog = listSessions(agentDir);
  if (args.switches.has("json")) {
    context.stdout.write(`${jsonText(context.keys.value(catalogReport(catalog)), 2)}\n`);
    return;
  }
  for (const note of catalog.skipped) warn(context)(note);
  if (catalog.sessions.length === 0) context.stderr.write("There is no session yet.\n");
  else
    context.stdout.write(
      context.keys.text(sessionsText(catalog.sessions, createPaint(context.stdout, context.environment))),
    );
}

function show({ agentDir, words: [id = ""], context }: ActionRun): void {
  const session = readSession(agentDir, id);
  context.stdout.write(context.keys.text(sessionText(session, createPaint(context.stdout, context.environment))));
}

async function fork({ agentDir, words: [from = "", to = ""], args, context }: ActionRun): Promise<void> {
  checkNewName(to);
  const at = numberOption(args, { name: "at", minimum: 0, isWhole: true });
  const head = await forkSession(agentDir, { from, to, at, now: Date.now(), onWarning: warn(context) });
  context.stdout.write(`Forked: ${plainLine(to)} continues from ${place(head)} of ${plainLine(from)}\n`);
}

async function rewind({ agentDir, words: [id = ""], args, context }: ActionRun): Promise<void> {
  const to = numberOption(args, { name: "to", minimum: 0, isWhole: true });
  if (to === undefined) throw new UsageError("sessions rewind needs the prompt to go back to: --to N");
  await rewindSession(agentDir, { id, to, now: Date.now(), onWarning: warn(context) });
  context.stdout.write(`Rewound: ${plainLine(id)} continues from ${place(to)}; nothing is deleted\n`);
}

const place = (prompt: number): string => (prompt === 0 ? "before the first prompt" : `the end of prompt ${prompt}`);

function rename({ agentDir, words: [from = "", to = ""], context }: ActionRun): void {
  checkNewName(to);
  renameSession(agentDir, { from, to, now: Date.now() });
  context.stdout.write(`Renamed: ${plainLine(from)} is ${plainLine(to)} now\n`);
}

function checkNewName(name: string): void {
  if (name !== NEW_SESSION) return;
  throw new UsageError(`a session cannot be called "${NEW_SESSION}": --session ${NEW_SESSION} begins another one`);
}
