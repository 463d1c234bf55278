import type { ChatMessage } from "./chat-message.ts";
import { ControlState } from "./protocol.ts";
import type { ThreadEvent } from "./thread-event.ts";
import type { ThreadJournal } from "./thread-journal.ts";
import { ThreadState } from "./thread-state.ts";

/** A thread in this process: its journal, its state, and this process's position in the session. */
export class OpenedThread extends ThreadState {
  readonly id: string;
  readonly #journal: ThreadJournal;
  /** Whether an earlier process left the session open and this process has not started it. */
  #isInherited: boolean;
  /** Whether this process has only repeated what an earlier process did. */
  #isRepeating = false;
  /** Messages of the session that this process has processed or repeated. */
  #position: number;
  /** Whether this process made the next call to execute. */
  madeHere = false;

  constructor(id: string, journal: ThreadJournal) {
    super();
    this.id = id;
    this.#journal = journal;
    for (const event of journal.events) this.apply(event);
    this.#isInherited = this.isOpen;
    this.#position = this.count - (this.#isUnprocessed() ? 1 : 0);
  }

  get position(): number {
    return this.#position;
  }

  /** The message, with an id. */
  identified(message: ChatMessage): ChatMessage {
    return message.id === undefined ? { ...message, id: this.#idOf(message) } : message;
  }

  /**
   * Whether the session was already started or ended; this process then counts it as done. True when the first invocation of a process
   * starts a session that an earlier process left open.
   */
  repeatsBoundary(control: ControlState): boolean {
    if (control === ControlState.END_SESSION) return this.#isRepeating && !this.isOpen;
    if (control !== ControlState.START_SESSION || !this.#isInherited || !this.isOpen) return false;
    this.#isInherited = false;
    this.#isRepeating = true;
    this.#position = 0;
    return true;
  }

  /** Whether a message was already processed; it then counts as processed now. */
  repeatsMessage({ id = "" }: ChatMessage): boolean {
    if (!this.messageOf(id)?.isProcessed) return false;
    this.#position++;
    return true;
  }

  async begin(control: ControlState, message: ChatMessage | undefined): Promise<void> {
    await this.append({ type: "invoked", control, ...(message && { message }) });
    this.#isInherited = false;
    this.#isRepeating = false;
  }

  /** Called when an invocation of this process has ended. */
  ended(): void {
    this.#position = this.count;
  }

  /** Resolves when the line is flushed. */
  async append(event: ThreadEvent): Promise<void> {
    await this.#journal.append(event);
    this.apply(event);
    if (event.type === "executed") this.madeHere = false;
  }

  close(): void {
    this.#journal.close();
  }

  /** The id by position in the session, or the first free one if another message has it. */
  #idOf({ role, content }: ChatMessage): string {
    const { sessions, count } = this;
    const next = `${sessions}.${this.#position + 1}`;
    const known = this.messageOf(next)?.message;
    return known === undefined || (known.role === role && known.content === content)
      ? next
      : `${sessions}.${count + 1}`;
  }

  #isUnprocessed(): boolean {
    const { id } = this.state.to_process[0] ?? {};
    return id !== undefined && this.messageOf(id)?.isProcessed === false;
  }
}
