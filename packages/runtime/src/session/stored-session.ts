import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@mdx-ai/models";
import { errorMessage } from "../error-message.ts";
import { refuseLinks } from "../files/refuse-links.ts";
import type { Journal } from "../journal/journal.ts";
import { JournalError } from "../journal/journal-error.ts";
import { openJournalFile } from "../journal/journal-file.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { localHost } from "../journal/local-host.ts";
import { readJournal } from "../journal/read-journal.ts";
import { addSpending } from "../spending/spending.ts";
import type { Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import type { Step } from "../types/step.ts";
import { HistoryView } from "./history-view.ts";
import type { PromptWork, Session } from "./session.ts";
import { checkSessionId } from "./session-id.ts";
import { lockSession, SessionInUseError } from "./session-lock.ts";
import { readTranscript } from "./transcript.ts";

export interface StoredSessionOptions {
  /** `sessions/` of the agent directory. */
  readonly directory: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onWarning: (message: string) => void;
}

/** What a session keeps in its folder. */
const FILES = ["journal.jsonl", "history.json", "lock", "archive"] as const;

/** Opens `sessions/<id>/` for this process alone. Throws `SessionIdError`, `SessionInUseError` or `JournalError`. */
export function openStoredSession(options: StoredSessionOptions): Session {
  checkSessionId(options.id);
  const directory = join(options.directory, options.id);
  try {
    refuseLinks([options.directory, directory, ...FILES.map((name) => join(directory, name))]);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return openLocked(directory, options);
  } catch (error) {
    if (error instanceof SessionInUseError || error instanceof JournalError) throw error;
    // What the file system says does not always name the place.
    const reason = errorMessage(error);
    throw new JournalError(`cannot use the session folder ${directory}: ${reason}`, { cause: error });
  }
}

function openLocked(directory: string, options: StoredSessionOptions): Session {
  const unlock = lockSession(join(directory, "lock"), options.id, options.now());
  try {
    return new StoredSession(directory, unlock, options);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** What a session knows between two archivings. */
interface SessionFiles {
  readonly journal: Journal;
  readonly history: HistoryView;
  readonly conversation: Conversation;
  readonly ownStep: Step;
  spending: Spending;
  lastPrompt: number;
  interrupted: readonly JournalLine[] | undefined;
}

class StoredSession implements Session {
  readonly id: string;
  readonly #directory: string;
  readonly #unlock: () => void;
  readonly #options: StoredSessionOptions;
  #files: SessionFiles;
  /** Whether the disk knows more than `#files`, since the session could not be read again after a failure. */
  #isLost = false;

  constructor(directory: string, unlock: () => void, options: StoredSessionOptions) {
    this.id = options.id;
    this.#directory = directory;
    this.#unlock = unlock;
    this.#options = options;
    this.#files = this.#open();
  }

  get messages(): readonly Message[] {
    return this.conversation.messages;
  }

  get conversation(): Conversation {
    return this.#current().conversation;
  }

  get spending(): Spending {
    return this.#current().spending;
  }

  count(spending: Spending): void {
    const files = this.#current();
    files.spending = addSpending(files.spending, spending);
  }

  get lastPrompt(): number {
    return this.#files.lastPrompt;
  }

  get isInterrupted(): boolean {
    return this.#current().interrupted !== undefined;
  }

  get ownStep(): Step {
    return this.#current().ownStep;
  }

  async runPrompt<Result>(work: PromptWork<Result>): Promise<Result> {
    const files = this.#current();
    const recorded = files.interrupted ?? [];
    if (!files.interrupted) files.lastPrompt++;
    try {
      const step = localHost(files.journal, files.lastPrompt, recorded);
      const result = await work(step, files.conversation, new Set(recorded.map((line) => line.step)));
      await files.journal.sync();
      files.interrupted = undefined;
      this.#updateView(files);
      return result;
    } catch (error) {
      this.#recover();
      throw error;
    }
  }

  clear(): void {
    this.#reopen(() => this.#archive());
  }

  close(): void {
    this.#files.journal.close();
    this.#unlock();
  }

  #current(): SessionFiles {
    if (this.#isLost) this.#reopen();
    return this.#files;
  }

  #recover(): void {
    try {
      this.#reopen();
    } catch {
      // What made the prompt fail tells more. Whoever uses the session next tries again.
    }
  }

  /** Reads the session from the disk again, which alone knows what was kept. */
  #reopen(between = (): void => {}): void {
    this.#files.journal.close();
    this.#isLost = true;
    between();
    this.#files = this.#open();
    this.#isLost = false;
  }

  #open(): SessionFiles {
    const path = join(this.#directory, "journal.jsonl");
    const { lines, tornLine } = readJournal(path);
    if (tornLine) this.#options.onWarning(`session ${this.id}: an unfinished last line was kept aside in ${tornLine}`);
    const { own, ...transcript } = readTranscript(lines);
    const history = new HistoryView(join(this.#directory, "history.json"));
    const journal = openJournalFile(path);
    const files = { ...transcript, journal, history, ownStep: localHost(journal, 0, own) };
    this.#updateView(files);
    return files;
  }

  /** The view can be mended from the journal later, so that its failure does not end a prompt. */
  #updateView({ history, conversation }: SessionFiles): void {
    try {
      history.update(conversation.messages);
    } catch (error) {
      const reason = errorMessage(error);
      this.#options.onWarning(
        `session ${this.id}: history.json could not be written (${reason}); the journal holds all`,
      );
    }
  }

  #archive(): void {
    const time = new Date(this.#options.now()).toISOString().replaceAll(":", "-");
    const archive = freeName(join(this.#directory, "archive", time));
    mkdirSync(archive, { recursive: true, mode: 0o700 });
    for (const name of ["journal.jsonl", "history.json"]) {
      if (existsSync(join(this.#directory, name))) renameSync(join(this.#directory, name), join(archive, name));
    }
  }
}

function freeName(path: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? path : `${path}_${count}`;
    if (!existsSync(name)) return name;
  }
}
