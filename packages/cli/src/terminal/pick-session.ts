import { dataOfRun, type RunOptions, workspaceOf } from "@mdx-ai/directory";
import { agoText, counted, dollars } from "@mdx-ai/directory/views/figures";
import type { AgentDirectory } from "@mdx-ai/parser";
import { fileStore, type SessionSummary } from "@mdx-ai/sessions";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { shortPath } from "../output/line-layout.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import { watchWaysOut } from "./interrupts.ts";
import { type ListQuestion, OpenList } from "./list-questions.ts";
import type { Choice } from "./screen/choice-list.ts";
import { openScreen } from "./screen/open-screen.ts";
import type { ScreenKey } from "./screen/screen.ts";

/** The session that the user chose to resume; `none`: no session exists. */
export type PickedSession =
  | { readonly type: "picked"; readonly session: string }
  | { readonly type: "left"; readonly exitCode: number }
  | { readonly type: "none" };

/** How to show the list: as numbered lines if `isPlain`, until `signal` fires. */
export interface PickSessionOptions {
  readonly isPlain: boolean;
  readonly signal: AbortSignal;
}

/**
 * Lets the user choose a session on the terminal. The workspace's sessions come first, then the others, most recently used first. Rejects
 * as `SessionStore.list` and `dataOfRun` do.
 */
export async function pickSession(
  run: RunOptions,
  directory: AgentDirectory,
  context: CommandContext,
  options: PickSessionOptions,
): Promise<PickedSession> {
  const workspace = workspaceOf(run, directory)?.real;
  const sessions = choosableSessions(dataOfRun(run, directory, context), workspace);
  if (sessions.length === 0) return { type: "none" };
  const redact = (text: string): string => context.keys.text(text);
  await context.stderr.flush();
  const choices = sessionChoices(sessions, { workspace, home: context.environment["HOME"], redact });
  const picked = await pickOne({ question: "Which session do you want to resume?", choices }, context, options);
  if (picked.type === "left") return picked;
  const session = sessions[picked.index]?.id;
  return session === undefined ? { type: "none" } : { type: "picked", session };
}

async function pickOne(
  question: Omit<ListQuestion, "verb">,
  { stdout, environment }: CommandContext,
  { isPlain, signal }: PickSessionOptions,
): Promise<Picked> {
  if (!isPlain) return pickChoice(question, themeOf(environment));
  const { chooseByNumber } = await import("./plain/numbered-questions.ts");
  const index = await chooseByNumber(question, { output: stdout, signal });
  if (index !== undefined) return { type: "picked", index };
  return { type: "left", exitCode: signal.aborted ? EXIT_CODE.interrupted : EXIT_CODE.done };
}

/** The sessions that have messages; those of the workspace first. Throws as `SessionStore.list` does. */
export function choosableSessions(dataDir: string, workspace: string | undefined): readonly SessionSummary[] {
  const sessions = fileStore({ dataDirectory: dataDir })
    .list()
    .sessions.flatMap((session) =>
      session.state === "readable" && (session.prompts > 0 || session.isUnfinished) ? [session] : [],
    );
  const isHere = (session: SessionSummary): boolean => session.workspace === workspace;
  return [...sessions.filter(isHere), ...sessions.filter((session) => !isHere(session))];
}

interface ChoiceView {
  readonly workspace: string | undefined;
  readonly home: string | undefined;
  /** Redacts a text. */
  redact(text: string): string;
}

/** The sessions as list choices. */
export function sessionChoices(sessions: readonly SessionSummary[], view: ChoiceView): readonly Choice[] {
  const now = Date.now();
  return sessions.map((session) => choiceOf(session, view, now));
}

function choiceOf(session: SessionSummary, { workspace, home, redact }: ChoiceView, now: number): Choice {
  const { id, title, turns, cost, lastUsed } = session;
  const place = session.workspace ?? "";
  // The most important first, since a narrow terminal cuts the rest.
  const details = [
    ...(lastUsed === undefined ? [] : [agoText(now - lastUsed)]),
    ...(place === "" || place === workspace ? [] : [shortPath(place, home)]),
    id,
    counted(turns, "turn"),
    ...(cost.usd > 0 ? [dollars(cost.usd)] : []),
  ];
  return { title: redact(title === "" ? id : title), details: details.join(", "), remark: remarkOf(session) };
}

function remarkOf({ isUnfinished, holder }: SessionSummary): string {
  if (!isUnfinished) return "";
  return holder === undefined ? "interrupted" : "running";
}

/** The index of the user's choice, or the exit code of a user who left. */
type Picked =
  | { readonly type: "picked"; readonly index: number }
  | { readonly type: "left"; readonly exitCode: number };

/**
 * Lets the user choose from a list on an interactive terminal: arrow keys move, typing filters, Enter chooses, Esc, Ctrl+C and Ctrl+D
 * leave. Clears the list and restores the terminal before it resolves.
 */
async function pickChoice(question: Omit<ListQuestion, "verb">, theme: Theme): Promise<Picked> {
  const list = new OpenList({ ...question, verb: "opens" }, theme);
  const answer = Promise.withResolvers<Picked>();
  const leave = (exitCode: number): void => answer.resolve({ type: "left", exitCode });
  const onKey = (key: ScreenKey): void => {
    if (key === "clear") screen.clear();
    else if (key === "interrupt") leave(EXIT_CODE.interrupted);
    else if (key === "stop" || key === "leave") leave(EXIT_CODE.done);
    else if (key === "send" && list.selected !== undefined) answer.resolve({ type: "picked", index: list.selected });
  };
  const onMove = (entries: number): boolean => {
    list.move(entries);
    screen.refresh();
    return true;
  };
  const screen = openScreen({
    live: (columns) => list.draw(columns, screen),
    theme,
    onKey,
    onTyped: () => false,
    onMove,
  });
  const unwatch = watchWaysOut({ leave, restore: () => screen.close() });
  try {
    return await answer.promise;
  } finally {
    await screen.drain();
    unwatch();
  }
}
