import { type Environment, shortened, visibleLine, within } from "@mdx-ai/base";
import { McpError } from "../mcp-error.ts";
import { exitHint } from "./exit-hint.ts";
import { killGroup, Reaper, signalGroup } from "./reaper.ts";

export interface ServerProgram {
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds for each way to stop it. */
  readonly endLimit: number;
}

/** Bytes that a program may leave unread before writes to it fail. */
const MAX_UNREAD = 64 * 1024 * 1024;

/** Milliseconds to wait for pending output or the exit status once a program has ended. */
const OUTPUT_LIMIT = 200;

/** A running server that communicates over its standard streams. It leads a process group that is killed with it, and with this process. */
export class ServerProcess implements ByteChannel {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #reaper = new Reaper({ name: "mdx-ai-mcp-reaper" });
  readonly #endLimit: number;
  readonly #environment: ServerProgram["environment"];
  readonly #complaints = new LastText();
  readonly #read: Promise<unknown>;
  #unread = 0;
  #closing: Promise<void> | undefined;

  /** Throws `McpError` if the process cannot be started. */
  constructor(program: ServerProgram, events: ChannelEvents) {
    this.#endLimit = program.endLimit;
    this.#environment = program.environment;
    this.#process = started(program);
    const unwatch = this.#reaper.watch(this.#process.pid);
    this.#read = Promise.all([this.#readOutput(events.onBytes), this.#complaints.read(this.#process.stderr)]);
    void this.#ended(unwatch, events.onEnd);
  }

  /** How it ended, with its last output and what to check; undefined while it runs. `environment`: the user's variables. */
  endReason(environment: Environment): string | undefined {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) return undefined;
    const how = signalCode === null ? `ended with exit code ${exitCode}` : `was ended by ${signalCode}`;
    const words = this.#complaints.all;
    const isByItself = exitCode !== null && (exitCode !== 0 || words !== "");
    const hint = isByItself ? exitHint({ words, passed: this.#environment, environment }) : "";
    return `the server ${how}${this.lastWords}${hint}`;
  }

  /** The last lines of its standard error after a colon; empty if there are none. */
  get lastWords(): string {
    const { text } = this.#complaints;
    return text === "" ? "" : `: ${text}`;
  }

  async write(text: string): Promise<void> {
    if (this.#unread > MAX_UNREAD) throw new McpError("the server does not read its input");
    const { stdin } = this.#process;
    const bytes = stdin.write(text);
    const size = typeof bytes === "number" ? bytes : text.length;
    this.#unread += size;
    try {
      await stdin.flush();
    } catch (error) {
      // The pipe of an ending program breaks before its exit status is known, and the exit status is the better reason.
      await within(this.#process.exited, OUTPUT_LIMIT);
      throw error;
    } finally {
      this.#unread -= size;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { pid, stdin } = this.#process;
    const ways = [
      () => void Promise.resolve(stdin.end()).catch(() => {}),
      () => signalGroup(pid, "SIGTERM"),
      () => killGroup(pid),
    ];
    for (const end of ways) {
      end();
      if (await within(this.#process.exited, this.#endLimit)) break;
    }
    await this.#reaper.close();
  }

  async #readOutput(onBytes: ChannelEvents["onBytes"]): Promise<void> {
    try {
      for await (const bytes of this.#process.stdout) await onBytes(bytes);
    } catch {
      // The exit status is the reason.
    }
  }

  async #ended(unwatch: () => void, onEnd: () => void): Promise<void> {
    await this.#process.exited;
    // Its children must not outlive it.
    killGroup(this.#process.pid);
    unwatch();
    await within(this.#read, OUTPUT_LIMIT);
    onEnd();
  }
}

function started({ command, args, cwd, environment }: ServerProgram): Bun.Subprocess<"pipe", "pipe", "pipe"> {
  try {
    return Bun.spawn([command, ...args], {
      cwd,
      env: { ...environment },
      stdio: ["pipe", "pipe", "pipe"],
      // A separate process group: the terminal's signals do not reach it, and its children are killed with it.
      detached: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new McpError(`cannot start ${command} (${reason})`, { cause: error });
  }
}

/** A bidirectional byte connection. */
export interface ByteChannel {
  /** Rejects if the other end does not accept the text. */
  write(text: string): Promise<void>;
  /** Ends the connection. Resolves when that is done. Never rejects. */
  close(): Promise<void>;
}

export interface ChannelEvents {
  /** Resolves when the receiver is ready for more. Never rejects. */
  readonly onBytes: (bytes: Uint8Array) => Promise<void>;
  /** The other end closed the connection. Called at most once. */
  readonly onEnd: () => void;
}

/** Bytes kept from the end of the output. */
const KEPT = 4096;
const LINES = 3;
const LINE_LENGTH = 200;

/** Lines that JavaScript runtimes print around an error message. */
const STACK = /^\s+at |^\s*\^+\s*$|^(?:Node\.js|Bun) v\d/;

/** Reads a stream to its end and keeps only the last part. */
class LastText {
  #bytes: Uint8Array = new Uint8Array();

  /** Resolves at the end of the stream. Never rejects. */
  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const bytes of stream) this.#bytes = Buffer.concat([this.#bytes, bytes.slice(-KEPT)]).subarray(-KEPT);
    } catch {
      // Keep what was read so far.
    }
  }

  /** The part that was kept. */
  get all(): string {
    return new TextDecoder().decode(this.#bytes).trim();
  }

  /** The last non-blank lines as visible text on one line; empty if there are none. Lines before a stack trace are preferred. */
  get text(): string {
    const lines = this.all.split("\n").filter((line) => line.trim() !== "");
    const telling = lines.filter((line) => !STACK.test(line));
    const last = (telling.length > 0 ? telling : lines).slice(-LINES).map(visibleLine);
    return last.map((line) => shortened(line, LINE_LENGTH)).join(" | ");
  }
}
