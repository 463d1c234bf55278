import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { attempt, type Clock, failureText, type Redactor } from "@mdx-ai/base";
import { removeTempFiles } from "@mdx-ai/base/disk";
import type { FileLock } from "@mdx-ai/base/locks";
import {
  addCost,
  type ContextPolicy,
  type Conversation,
  type Cost,
  firstNeeded,
  forgetUnsent,
  type Step,
  type UserInput,
} from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import type { QueuedInput } from "../history/session-history.ts";
import { JournalError } from "../journal/journal.ts";
import { archiveSession } from "./begin-journal.ts";
import { keepSummary } from "./kept-summary.ts";
import { closePrompt, type SessionFilesOptions, wholeTranscript } from "./read-session-folder.ts";
import {
  type BegunPrompt,
  type InterruptedPrompt,
  interruptedPrompt,
  type OpenedSession,
  type PendingEntry,
  type PromptWork,
} from "./session.ts";
import { beginPrompt, endPrompt, isLong, openSessionFiles, type SessionFiles, updateView } from "./session-files.ts";
import { checkSessionId, checkSessionPaths, LostLockError, lockSession, SessionInUseError } from "./session-folder.ts";
import { SessionQueue } from "./session-queue.ts";
import { keepSkillChoices, type SkillChoices } from "./skill-choices.ts";
import { StoredPast } from "./stored-past.ts";

export interface StoredSessionOptions {
  /** `sessions/` of the agent directory. */
  readonly directory: string;
  readonly id: string;
  /** The policy for the sent part of the transcript. Default: all of it. */
  readonly policy?: ContextPolicy;
  /** The size in bytes at which a new journal is begun. Default: 8 MiB. */
  readonly longFrom?: number;
  /** Redacts all files of the session. Absent: files are written unchanged. */
  readonly redactor?: Redactor;
  /** As in `SessionFilesOptions`. */
  readonly owner?: string | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly onWarning: (message: string) => void;
}

/** Opens and locks `sessions/<id>/`. Throws `SessionIdError`, `SessionInUseError` or `JournalError`. */
export function openStoredSession(options: StoredSessionOptions): StoredSession {
  checkSessionId(options.id);
  const directory = join(options.directory, options.id);
  try {
    checkSessionPaths(directory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    removeTempFiles(options.directory, ".");
    return openLocked(directory, options);
  } catch (error) {
    if (error instanceof SessionInUseError || error instanceof JournalError) throw error;
    // The file system's error does not always name the path.
    throw new JournalError(`cannot use the session folder ${directory}: ${failureText(error)}`, { cause: error });
  }
}

function openLocked(directory: string, options: StoredSessionOptions): StoredSession {
  const lock = lockSession(join(directory, "lock"), options.id, options.clock.now());
  try {
    return new StoredSession(directory, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A session in a folder. */
export class StoredSession implements OpenedSession {
  readonly id: string;
  readonly key: string;
  readonly #directory: string;
  readonly #lock: FileLock;
  readonly #options: StoredSessionOptions;
  #files: SessionFiles;
  #policy: ContextPolicy;
  /** Whether `#files` is outdated, because the session could not be read again after a failure. */
  #isLost = false;
  readonly #queue: SessionQueue;

  constructor(directory: string, lock: FileLock, options: StoredSessionOptions) {
    this.id = options.id;
    this.#directory = directory;
    this.#lock = lock;
    this.#options = options;
    this.#policy = options.policy ?? {};
    this.#queue = new SessionQueue(() => this.#current(), options.clock);
    this.#files = this.#open();
    this.key = this.#files.key;
  }

  async usePolicy(policy: ContextPolicy): Promise<void> {
    this.#policy = policy;
    const { conversation } = this.#current();
    if (conversation.first === 0) return;
    const needed = firstNeeded(conversation, policy);
    if (needed !== undefined && needed >= conversation.first) return;
    await this.#queue.whenSettled(() => this.#reopen());
  }

  get messages(): readonly Message[] {
    const { first, messages } = this.conversation;
    return first === 0 ? messages : [...wholeTranscript(this.#directory).slice(0, first), ...messages];
  }

  get conversation(): Conversation {
    return this.#current().conversation;
  }

  get cost(): Cost {
    return this.#current().cost;
  }

  count(cost: Cost): void {
    const files = this.#current();
    files.cost = addCost(files.cost, cost);
  }

  get lastPrompt(): number {
    return this.#files.lastPrompt;
  }

  get interrupted(): InterruptedPrompt | undefined {
    const { interrupted } = this.#current();
    return interrupted && interruptedPrompt(interrupted);
  }

  get queued(): readonly QueuedInput[] {
    return this.#current().queued;
  }

  get pending(): readonly PendingEntry[] {
    return this.#queue.pending;
  }

  get isUntrusted(): boolean {
    return this.#current().isUntrusted;
  }

  get promptIds(): ReadonlySet<string> {
    return this.#current().promptIds;
  }

  get rewinds(): number {
    return this.#current().highest.head;
  }

  get skills(): SkillChoices {
    return this.#current().skills;
  }

  chooseSkills(choices: SkillChoices): void {
    this.#requireHeld();
    keepSkillChoices(this.#directory, choices);
    this.#current().skills = choices;
  }

  get modeNote(): string | undefined {
    return this.#current().modeNote;
  }

  get past(): StoredPast {
    const { id, redactor, owner, clock } = this.#options;
    const files = (): SessionFiles => {
      this.#requireHeld();
      return this.#current();
    };
    return new StoredPast({ id, redactor, owner, clock, folder: this.#directory, files, reopen: () => this.#reopen() });
  }

  get ownStep(): Step {
    return this.#current().ownStep;
  }

  async runPrompt<Result>(work: PromptWork<Result>, begun: BegunPrompt = {}): Promise<Result> {
    if (this.#isLong() || !this.#current().journal.isInPlace()) {
      await this.#queue.whenSettled(() => this.#reopen());
    }
    const files = this.#current();
    const opened = beginPrompt(files, begun, this.#options.owner);
    const before = files.conversation.messages.length;
    try {
      const result = await work(opened);
      const synced = files.journal.sync();
      // Views of the journal are written meanwhile: damage by a power cut is repaired at the next start.
      updateView(files, { onWarning: this.#warn });
      keepSummary(this.#directory);
      await synced;
      endPrompt(files, opened, { before, modeNote: begun.modeNote });
      forgetUnsent(files.conversation, this.#policy);
      return result;
    } catch (error) {
      // The prompt's failure is reported; the next use of the session retries the read.
      await this.#queue.whenSettled(() => attempt(() => this.#reopen()));
      throw error;
    }
  }

  closeInterrupted(prompt: number): Promise<boolean> {
    return this.#queue.whenSettled(() => {
      const { interrupted } = this.#current();
      if (interrupted?.[0]?.prompt !== prompt) return false;
      this.#reopen(() => closePrompt(interrupted, this.#fileOptions()));
      return true;
    });
  }

  async enqueue(input: UserInput, id: string): Promise<number> {
    if (!this.#current().journal.isInPlace())
      throw new JournalError(
        `session ${this.id} has another journal now: another program has removed or changed it; try again when no prompt runs`,
      );
    return this.#queue.put(input, id);
  }

  dequeue(number: number): Promise<void> {
    return this.#queue.take(number);
  }

  clear(): void {
    // `archive` may have been replaced since the session was opened.
    checkSessionPaths(this.#directory);
    this.#reopen(() => archiveSession(this.#directory, this.#options.clock.now()));
  }

  close(): void {
    this.#files.journal.close();
    this.#lock.release();
  }

  #isLong(): boolean {
    const { interrupted, longFrom } = this.#current();
    return !interrupted && isLong(this.#directory, longFrom);
  }

  #current(): SessionFiles {
    if (this.#isLost) this.#reopen();
    return this.#files;
  }

  /** Reads the session from disk again, since only the disk shows what was stored. */
  #reopen(between = (): void => {}): void {
    this.#files.journal.close();
    this.#isLost = true;
    // Reading it fixes it.
    this.#requireHeld();
    between();
    this.#files = this.#open();
    this.#isLost = false;
  }

  #open(): SessionFiles {
    return openSessionFiles(this.#fileOptions());
  }

  #fileOptions(): SessionFilesOptions {
    return {
      folder: this.#directory,
      policy: this.#policy,
      longFrom: this.#options.longFrom,
      redactor: this.#options.redactor,
      owner: this.#options.owner,
      requireHeld: () => this.#requireHeld(),
      clock: this.#options.clock,
      onWarning: this.#warn,
    };
  }

  #requireHeld(): void {
    if (!this.#lock.isHeld()) throw new LostLockError(this.id);
  }

  readonly #warn = (message: string): void => this.#options.onWarning(`session ${this.id}: ${message}`);
}
