import { type AgentRun, dataOfRun, sessionWorkspaceOf } from "@mdx-ai/directory";
import type { AgentDirectory } from "@mdx-ai/parser";
import { listSessions, type SessionSummary } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { agoText, counted, dollars } from "../output/figures.ts";
import { shortPath } from "../output/home-path.ts";
import { themeOf } from "../output/theme.ts";
import type { Picked, PickOptions } from "./pick-choice.ts";
import type { Choice } from "./screen/choice-list.ts";

/** The session that the user chose to resume; `none`: there is no session yet. */
export type PickedSession =
  | { readonly type: "picked"; readonly session: string }
  | { readonly type: "left"; readonly exitCode: number }
  | { readonly type: "none" };

/** How the list is shown: by numbered lines if `isPlain`, until `signal` fires. */
export interface PickSessionOptions {
  readonly isPlain: boolean;
  readonly signal: AbortSignal;
}

/**
 * Lets the user choose a session of an agent on the terminal. Sessions of the run's workspace come first, then the others, the
 * last used first. Rejects as `listSessions` and `dataOfRun` do.
 */
export async function pickSession(
  run: AgentRun,
  directory: AgentDirectory,
  context: CommandContext,
  options: PickSessionOptions,
): Promise<PickedSession> {
  const workspace = sessionWorkspaceOf(run, directory);
  const sessions = choosableSessions(dataOfRun(run, directory, context), workspace);
  if (sessions.length === 0) return { type: "none" };
  const view = { workspace, home: context.environment["HOME"], now: Date.now() };
  const redacted = (choice: Choice): Choice => ({ ...choice, title: context.keys.text(choice.title) });
  await context.stderr.flush();
  const choices = sessions.map((session) => redacted(choiceOf(session, view)));
  const picked = await pickOne({ question: "Which session do you want to resume?", choices }, context, options);
  if (picked.type === "left") return picked;
  const session = sessions[picked.index]?.id;
  return session === undefined ? { type: "none" } : { type: "picked", session };
}

async function pickOne(
  question: Omit<PickOptions, "theme">,
  { stdout, environment }: CommandContext,
  { isPlain, signal }: PickSessionOptions,
): Promise<Picked> {
  if (!isPlain) {
    const { pickChoice } = await import("./pick-choice.ts");
    return pickChoice({ ...question, theme: themeOf(environment) });
  }
  const { chooseByNumber } = await import("./plain/choose-by-number.ts");
  const index = await chooseByNumber(question, { output: stdout, signal });
  if (index !== undefined) return { type: "picked", index };
  return { type: "left", exitCode: signal.aborted ? EXIT_CODE.interrupted : EXIT_CODE.done };
}

/** The sessions in which something was said; those of the workspace first. Throws as `listSessions` does. */
export function choosableSessions(dataDir: string, workspace: string | undefined): readonly SessionSummary[] {
  const sessions = listSessions(dataDir).sessions.flatMap((session) =>
    session.state === "readable" && (session.prompts > 0 || session.isUnfinished) ? [session] : [],
  );
  const isHere = (session: SessionSummary): boolean => session.workspace === workspace;
  return [...sessions.filter(isHere), ...sessions.filter((session) => !isHere(session))];
}

interface ChoiceView {
  readonly workspace: string | undefined;
  readonly home: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A session as a choice; its title may contain secrets. */
export function choiceOf(session: SessionSummary, { workspace, home, now }: ChoiceView): Choice {
  const { id, title, turns, cost, lastUsed } = session;
  const place = session.workspace ?? "";
  // The first ones are seen on a narrow terminal, too.
  const details = [
    ...(lastUsed === undefined ? [] : [agoText(now - lastUsed)]),
    ...(place === "" || place === workspace ? [] : [shortPath(place, home)]),
    id,
    counted(turns, "turn"),
    ...(cost.usd > 0 ? [dollars(cost.usd)] : []),
  ];
  return { title: title === "" ? id : title, details: details.join(", "), remark: remarkOf(session) };
}

function remarkOf({ isUnfinished, holder }: SessionSummary): string {
  if (!isUnfinished) return "";
  return holder === undefined ? "interrupted" : "running";
}
