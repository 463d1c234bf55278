import { constants } from "node:os";
import type { BoundedResult } from "@mdx-ai/loop";
import { killGroup, type Reaper } from "@mdx-ai/mcp/reaper";
import {
  CHANNEL,
  type CommandSandbox,
  MAX_KIBIBYTES,
  type ProcessStart,
  type StartedProcess,
  startBare,
} from "@mdx-ai/sandbox";
import { errorText } from "../error-text.ts";
import { type CallReport, outputLines } from "./call-report.ts";
import { type FunctionRequest, type HostReply, type HostRequest, isHostReply } from "./host-messages.ts";
import { type ChannelEnd, MessageChannel, TOOL_CHANNEL } from "./message-channel.ts";

/** The output of the JavaScript runtime when it crashes out of memory. */
const MEMORY_CRASH = "MemoryExhaustion";

const SETTLE_MILLISECONDS = 200;

/** How long a used process may take to begin its next request: code from an earlier call may be in a loop, or have stopped it. */
const BEGIN_MILLISECONDS = 2_000;

/** How a request ended. `ended`: the process is gone, with the reason; `lost`: a used process never began this request. */
export type HostAnswer =
  | { readonly type: "answered"; readonly result: BoundedResult; readonly final: boolean }
  | { readonly type: "ended"; readonly reason: string; readonly lost: boolean };

export interface HostChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** Kills it if this process dies first: a tool in a loop would not notice. */
  readonly reaper: Reaper;
  /** Its sandbox, which is released when the process has ended. */
  readonly commandSandbox: CommandSandbox | undefined;
}

interface OpenRequest {
  readonly id: number;
  readonly answer: (answer: HostAnswer) => void;
}

/** One tool host process, which serves one request at a time. */
export class HostChild {
  /** Settles when the process has ended and all its output was read. Never rejects. */
  readonly ended: Promise<void>;
  readonly #process: StartedProcess;
  readonly #channel: MessageChannel;
  readonly #forget: () => void;
  readonly #commandSandbox: CommandSandbox | undefined;
  #open: OpenRequest | undefined;
  #report: CallReport | undefined;
  #begun = false;
  #beginning: ReturnType<typeof setTimeout> | undefined;
  #served = false;
  #memoryCrash = false;
  #channelEnd: ChannelEnd | undefined;
  #killed = false;
  #closed = false;
  #gone = false;

  /** Rejects with the system's error if the command cannot be started. */
  static async start({ command, cwd, environment, ...options }: HostChildOptions): Promise<HostChild> {
    const start: ProcessStart = {
      ...{ command, cwd, kibibytes: MAX_KIBIBYTES.tool, hasChannel: true },
      environment: { ...environment, [TOOL_CHANNEL]: String(CHANNEL) },
    };
    return new HostChild((await options.commandSandbox?.start(start)) ?? startBare(start), options);
  }

  private constructor(
    started: StartedProcess,
    { reaper, commandSandbox }: Pick<HostChildOptions, "reaper" | "commandSandbox">,
  ) {
    const disconnected = Promise.withResolvers<void>();
    this.#process = started;
    this.#channel = new MessageChannel({
      descriptor: this.#process.channel,
      keepsAlive: false,
      onMessage: (message) => this.#receive(message),
      onEnd: (end) => {
        this.#channelEnd = end;
        if (end !== "closed") this.kill();
        disconnected.resolve();
      },
    });
    this.#commandSandbox = commandSandbox;
    this.#forget = reaper.watch(this.#process.pid);
    this.ended = this.#end(disconnected.promise);
  }

  /** Whether it runs in a sandbox. */
  get contained(): boolean {
    return this.#commandSandbox !== undefined;
  }

  /** Whether it can take a request: it is not ending, and its sandbox is unchanged. */
  get usable(): boolean {
    return !this.#killed && !this.#closed && (this.#commandSandbox?.isCurrent() ?? true);
  }

  /** The access that its sandbox blocked and allows, if an error shows a block; otherwise "". */
  async noteOn(error: string): Promise<string> {
    return (await this.#commandSandbox?.noteOn({ output: error, hasFailed: true })) ?? "";
  }

  /** Sends a request and waits for its end. Never rejects. */
  ask(request: HostRequest | FunctionRequest, report: CallReport): Promise<HostAnswer> {
    const { promise, resolve } = Promise.withResolvers<HostAnswer>();
    this.#report = report;
    this.#open = { id: request.id, answer: resolve };
    this.#begun = false;
    if (this.#gone) this.#answer(this.#ending());
    else this.send(request);
    if (this.#served) this.#beginning = setTimeout(() => this.kill(), BEGIN_MILLISECONDS);
    return promise;
  }

  /** Sends a message without an answer. Does nothing if the process is gone: its end answers the open request. */
  send(request: HostRequest | FunctionRequest): void {
    this.#channel.send(request);
  }

  /** Kills the process and everything that it started. */
  kill(): void {
    this.#killed = true;
    if (!this.#gone) killGroup(this.#process.pid);
  }

  #receive(message: unknown): void {
    try {
      if (isHostReply(message)) this.#take(message);
    } catch (error) {
      // Nested too deeply to be checked.
      this.#report?.log(`unreadable message of a tool: ${errorText(error)}`);
      this.#channel.close("broken");
    }
  }

  #take(reply: HostReply): void {
    switch (reply.type) {
      case "answer":
        if (reply.id !== this.#open?.id) break;
        this.#served = true;
        this.#answer({ type: "answered", result: reply.result, final: reply.final });
        break;
      case "begun":
        this.#begun = true;
        clearTimeout(this.#beginning);
        break;
      case "log":
        if (reply.id === this.#open?.id) this.#report?.log(reply.line);
        break;
      case "update":
        if (reply.id === this.#open?.id) this.#report?.update(reply.partial);
        break;
      case "unfit":
        this.#report?.log(reply.reason);
        this.kill();
        break;
      default:
        reply satisfies never;
    }
  }

  #answer(answer: HostAnswer): void {
    const open = this.#open;
    this.#open = undefined;
    clearTimeout(this.#beginning);
    open?.answer(answer);
  }

  async #end(disconnected: Promise<void>): Promise<void> {
    const { pid, stdout, stderr, exited } = this.#process;
    const readers = [stdout.getReader(), stderr.getReader()] as const;
    const outputs = [
      outputLines(readers[0], (line) => this.#report?.log(line)),
      outputLines(readers[1], (line) => this.#takeErrorLine(line)),
    ];
    // Without its channel the process is useless. An exiting process closes the channel slightly earlier.
    await Promise.race([disconnected, exited]);
    this.#closed = true;
    await settled([exited]);
    if (this.#process.exitCode === null && this.#process.signalCode === null && !this.#killed)
      this.#channelEnd = "broken";
    killGroup(pid);
    await exited;
    this.#gone = true;
    this.#forget();
    this.#commandSandbox?.release();
    // Its last output is still unread. A program that left the group may keep the outputs open.
    await settled([disconnected, ...outputs]);
    for (const reader of readers) void reader.cancel().catch(() => {});
    this.#channel.close("closed");
    this.#answer(this.#ending());
  }

  #ending(): HostAnswer {
    return { type: "ended", reason: this.#reason(), lost: this.#served && !this.#begun };
  }

  #takeErrorLine(line: string): void {
    if (line.includes(MEMORY_CRASH)) this.#memoryCrash = true;
    // A long text about the runtime follows, which would mislead.
    if (!this.#memoryCrash) this.#report?.log(line);
  }

  #reason(): string {
    const { exitCode } = this.#process;
    const signalCode = this.#process.signalCode ?? (this.#commandSandbox ? signalOf(exitCode) : null);
    if (this.#channelEnd === "flooded") return "the tool flooded the channel between its process and the agent";
    if (this.#memoryCrash) return `the tool used up its memory (${MAX_KIBIBYTES.tool / 1024} MiB)`;
    if (this.#channelEnd === "broken") return "the tool broke the channel between its process and the agent";
    if (signalCode !== null) return `the tool's process was ended by signal ${signalCode}`;
    return `the tool ended its own process (exit code ${exitCode})`;
  }
}

/** Waits until everything has settled, but not for long. */
async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.all(promises), Bun.sleep(SETTLE_MILLISECONDS)]);
}

/** The signal that an exit code means, as in shells and bubblewrap; null if none. */
function signalOf(exitCode: number | null): string | null {
  const number = (exitCode ?? 0) - 128;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}
