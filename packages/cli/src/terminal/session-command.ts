import { errorMessage } from "@mdx-ai/base";
import { moveNote } from "@mdx-ai/directory";
import { capitalized, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import {
  fileStore,
  forkSession,
  newSession,
  readSession,
  type SessionSummary,
  sessionFolder,
  sessionWorkspace,
  titleSession,
  UnknownSessionError,
} from "@mdx-ai/sessions";
import { sessionsText } from "../sessions/list-sessions.ts";
import type { Choose } from "./list-questions.ts";
import { choosableSessions, sessionChoices } from "./pick-session.ts";
import { reportSession } from "./session-reports.ts";

/** What `/session` needs. */
export interface SessionCommandContext {
  /** Absolute; absent if no session is kept. */
  readonly dataDir: string | undefined;
  /** The current session's id. */
  readonly current: string;
  /** The folder where tools work if it is not the agent directory. Absolute, links resolved. */
  readonly workspace: string | undefined;
  /** The user's home folder. */
  readonly home: string | undefined;
  readonly choose: Choose;
  /** Redacts a text. */
  redact(text: string): string;
  /** Switches to another session. Rejects without any change if it cannot be opened. */
  enter(id: string): Promise<void>;
  /** How many memories all sessions share. */
  memories(): Promise<number>;
  /** Releases a session. */
  release(id: string): Promise<void>;
}

const USAGE = "/session new · switch [ID] · delete ID · list · info";

/** Whether the words change nothing, so that the command need not wait for a prompt. */
export const isLookingAtSessions = (words: string): boolean => /^(?:list|info)?$/.test(words.split(/\s/, 1)[0] ?? "");

/** The `/session` command. Deleting needs a confirmation: the same line again. */
export class SessionCommand {
  #toDelete: string | undefined;

  /** Called on other input, which cancels the confirmation. */
  forget(): void {
    this.#toDelete = undefined;
  }

  /** Runs `/session` and returns the answer. Rejects as the runtime's functions do; an unknown session is reported in the answer. */
  async run(words: string, context: SessionCommandContext): Promise<string> {
    try {
      return await this.#act(words, context);
    } catch (error) {
      if (!(error instanceof UnknownSessionError)) throw error;
      const [, id = context.current] = words.split(/\s+/);
      return `There is no session ${JSON.stringify(id)}; /session list shows the existing ones.`;
    }
  }

  async #act(words: string, context: SessionCommandContext): Promise<string> {
    const [name = "", id, ...more] = words.split(/\s+/);
    const { dataDir } = context;
    if (dataDir === undefined) return "This conversation keeps no session and cannot open another one.";
    if (more.length > 0) return USAGE;
    switch (name) {
      case "list":
        return id === undefined ? listText(dataDir, context) : USAGE;
      case "info":
        return reportSession(dataDir, id ?? context.current, await context.memories());
      case "new":
        return id === undefined ? await enterNew(dataDir, context) : USAGE;
      case "switch":
        return await switchTo(dataDir, id, context);
      case "delete":
        return id === undefined ? USAGE : await this.#delete(dataDir, id, context);
      default:
        return USAGE;
    }
  }

  async #delete(dataDir: string, id: string, context: SessionCommandContext): Promise<string> {
    sessionFolder(dataDir, id);
    if (this.#toDelete !== id) {
      const what = described(dataDir, id);
      this.#toDelete = id;
      return `This deletes ${what} with its history, for good. Send the same line again to confirm.`;
    }
    this.#toDelete = undefined;
    await context.release(id);
    fileStore({ dataDirectory: dataDir }).delete(id);
    if (id === context.current) await enterNew(dataDir, context);
    return `Deleted: ${id}`;
  }
}

/** Runs `/rename` and returns the answer. Throws as `titleSession` does. */
export function renameCurrent(
  words: string,
  { dataDir, current }: Pick<SessionCommandContext, "dataDir" | "current">,
): string {
  if (words === "") return "Say what to call this session: /rename TITLE";
  if (dataDir === undefined) return "This conversation keeps no session, so it has no title.";
  return `This session is called: ${plainLine(titleSession(dataDir, current, words))}`;
}

/** Runs `/fork` and returns the answer. Rejects as `forkSession` does. */
export async function forkCurrent(
  words: string,
  { dataDir, current, enter, release }: Pick<SessionCommandContext, "dataDir" | "current" | "enter" | "release">,
  redact: (text: string) => string,
): Promise<string> {
  if (dataDir === undefined) return "This conversation keeps no session, so it cannot be continued in another one.";
  const to = words === "" ? freeName(dataDir, current) : words;
  const warnings: string[] = [];
  await release(current);
  await forkSession(dataDir, {
    ...{ from: current, to, at: undefined, now: Date.now() },
    onWarning: (message) => warnings.push(redact(message)),
  });
  await enter(to);
  return [...warnings, `This is session ${to}; ${current} stays as it was.`].join("\n");
}

/** The first of `NAME-fork`, `NAME-fork-2`, … that no session has. */
function freeName(dataDir: string, current: string): string {
  const taken = fileStore({ dataDirectory: dataDir })
    .list()
    .sessions.map(({ id }) => id);
  const names = Array.from({ length: taken.length + 1 }, (_, at) => `${current}-fork${at === 0 ? "" : `-${at + 1}`}`);
  return names.find((name) => !taken.includes(name)) ?? current;
}

async function enterNew(dataDir: string, { enter }: SessionCommandContext): Promise<string> {
  await enter(newSession(dataDir, Date.now()));
  return "";
}

async function switchTo(dataDir: string, given: string | undefined, context: SessionCommandContext): Promise<string> {
  const { current, workspace, enter } = context;
  const others = given === undefined ? choosableSessions(dataDir, workspace).filter(({ id }) => id !== current) : [];
  if (given === undefined && others.length === 0) return "There is no other session with a prompt.";
  const id = given ?? (await chosenSession(others, context));
  if (id === undefined) return "This session continues.";
  if (id === current) return `This is already session ${id}.`;
  sessionFolder(dataDir, id);
  const note = moveNote(id, { from: sessionWorkspace(dataDir, id), to: workspace });
  await enter(id);
  return note === undefined ? "" : `${capitalized(note)}.`;
}

/** Undefined if the user dismisses the list. */
async function chosenSession(
  others: readonly SessionSummary[],
  context: SessionCommandContext,
): Promise<string | undefined> {
  const choices = sessionChoices(others, context);
  const chosen = await context.choose({ question: "Which session do you want to continue?", verb: "opens", choices });
  return chosen?.type === "picked" ? others[chosen.index]?.id : undefined;
}

function listText(dataDir: string, { current, home }: SessionCommandContext): string {
  const { sessions, skipped } = fileStore({ dataDirectory: dataDir }).list();
  const table = sessionsText(sessions, (_colour, text) => text, home).trimEnd();
  return [table, ...skipped, `This is session ${current}.`].filter((line) => line !== "").join("\n");
}

/** Throws `UnknownSessionError`. */
function described(dataDir: string, id: string): string {
  try {
    const { title, prompts } = readSession(dataDir, id).summary;
    return `session ${id} (${counted(prompts, "prompt")}${title === "" ? "" : `: ${plainLine(title)}`})`;
  } catch (error) {
    if (error instanceof UnknownSessionError) throw error;
    // A session that cannot be read may still be deleted.
    return `session ${id} (damaged: ${errorMessage(error)})`;
  }
}
