import { closeSync } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { killGroup } from "@mdx-ai/mcp/reaper";
import { APART, endOf, entrance, firstLine, HOLDING, Holder, isHeld, reopened, type Watch } from "./holder.ts";
import { NOTHING_RESERVED, type Reserved } from "./placeholders.ts";
import { unnamedFile } from "./run-folder.ts";
import { enteringCommand, holderCommand, type SandboxWords } from "./sandbox-commands.ts";
import { CLOSED, SandboxStartError } from "./sandbox-errors.ts";
import { SCRIPT } from "./shell-script.ts";

/** The parts of a warm sandbox. */
export interface WarmSandboxOptions extends SandboxWords {
  /** The arguments of bubblewrap for the mounts that commands see. */
  readonly mounts: readonly string[];
  /** Lines of shell that must succeed inside before the sandbox is ready. */
  readonly prelude: readonly string[];
  /** A folder for the temporary files of the holder; only the user can access it. Absolute. */
  readonly folder: string;
  /** Whether commands have a channel to this process at descriptor 3. */
  readonly hasChannel: boolean;
  readonly watch: Watch;
}

/** A shell inside that waits for its script. */
export type WaitingShell = Bun.Subprocess<"pipe", "pipe", "pipe">;

interface StartingShell {
  readonly shell: WaitingShell;
  /** The key of the paths that its command must not create. */
  readonly reserved: string;
  /** Whether it runs. Rejects with `SandboxDeadlineError`. */
  readonly reported: Promise<boolean>;
}

interface EnteringShell {
  readonly reserved: Reserved;
  readonly descriptor: number;
}

const isAlive = ({ exitCode, signalCode }: Pick<Bun.Subprocess, "exitCode" | "signalCode">): boolean =>
  exitCode === null && signalCode === null;

/** Lists of reserved paths with the same key are equal. */
const keyOf = ({ covered, pinned }: Reserved): string => JSON.stringify([covered, pinned]);

/**
 * A sandbox that stays open: a small process keeps its mounts and its network. Commands enter it, each in a process namespace of
 * its own, and a shell already waits inside for the next command.
 */
export class WarmSandbox {
  readonly #options: WarmSandboxOptions;
  readonly #holder: Holder;
  /** An open file with the filter of system calls, if there is one. */
  readonly #filter: number | undefined;
  #bridge: Holder | undefined;
  /** Resolves when the bridge, if any, is ready. Rejects with `SandboxStartError`, or the system's error. */
  connected: Promise<void> = Promise.resolve();
  #users = 0;
  #waiting: StartingShell | undefined;
  /** The shells of commands that have not reported themselves. */
  readonly #starting = new Set<StartingShell>();
  /** The ends of the shells that no command has used. */
  #ending: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: WarmSandboxOptions, holder: Holder, filter: number | undefined) {
    this.#options = options;
    this.#holder = holder;
    this.#filter = filter;
  }

  /** `openFilter` is called while the holder starts. Rejects with `SandboxStartError`, or the system's error. */
  static async open(options: WarmSandboxOptions, openFilter: () => Promise<number | undefined>): Promise<WarmSandbox> {
    const { folder, mounts, prelude, watch } = options;
    // The length of arguments is limited.
    const files = [[...prelude, HOLDING].join(" &&\n"), mounts.map((word) => `${word}\0`).join("")].map((text) =>
      unnamedFile(folder, text),
    );
    const starting = Holder.start(holderCommand(options), watch, files);
    try {
      const [filter, holder] = await Promise.all([openFilter(), starting]);
      return new WarmSandbox(options, holder, filter);
    } catch (error) {
      starting.then(
        (holder) => holder.close(),
        () => {},
      );
      throw error;
    } finally {
      for (const file of files) closeSync(file);
    }
  }

  /** Whether commands can still enter it. */
  get isOpen(): boolean {
    return !this.#isClosed && isHeld(this.#holder) && (this.#bridge?.isOpen ?? true);
  }

  /** Whether the shell of the next command waits. */
  get hasWaitingShell(): boolean {
    return this.isOpen && this.#waiting !== undefined && isAlive(this.#waiting.shell);
  }

  /** Whether no command runs inside. */
  get isIdle(): boolean {
    return this.#users === 0;
  }

  /** Call this when a command starts inside, and the returned function when it has ended. */
  use(): () => void {
    this.#users += 1;
    return () => {
      this.#users -= 1;
    };
  }

  /**
   * Starts a bridge: a command that is in the sandbox's network but otherwise outside, and writes a line when it is ready. If it
   * cannot start, the sandbox is closed and `connected` rejects.
   */
  connect(bridge: Promise<readonly string[]>): void {
    this.connected = this.#connect(bridge);
    this.connected.catch(() => this.close());
  }

  /**
   * A shell inside for one command that must not create these paths. It has reported itself: from then on it ends with this process. If this
   * process was killed before, it would run what is already in its input. Rejects with `SandboxStartError`, `SandboxDeadlineError`, or the
   * system's error.
   */
  async shell(reserved: Reserved): Promise<WaitingShell> {
    const starting = this.#takeWaiting(reserved) ?? this.#startShell(reserved);
    const { shell, reported } = starting;
    this.#starting.add(starting);
    try {
      if (!(await reported)) throw new SandboxStartError(await endOf(shell));
      return shell;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /**
   * Why no command can run inside, as a line without a full stop; undefined if commands can run. The shell of this test then
   * waits for the next command. Rejects with the system's error.
   */
  async trialProblem(reserved: Reserved = NOTHING_RESERVED): Promise<string | undefined> {
    const starting = this.#startShell(reserved);
    if (!(await starting.reported)) return endOf(starting.shell);
    this.#waiting = starting;
    return undefined;
  }

  /** Starts the shell of the next command in advance. Never throws. */
  prepare(reserved: Reserved): void {
    if (this.#waiting?.reserved === keyOf(reserved) || !this.isOpen) return;
    void this.rest();
    try {
      this.#waiting = this.#startShell(reserved);
    } catch {
      // The next command reports it.
    }
  }

  /** Ends the waiting shell; resolves when it has ended, also with all its parts if it was still starting. Never rejects. */
  async rest(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#end(waiting);
    await this.#ending;
  }

  #end({ shell, reported }: StartingShell): void {
    // The parts of a shell that is still starting would wait for each other forever.
    killGroup(shell.pid);
    // One that has not reported itself may be making a folder: its output ends when no part of it is left.
    this.#ending = Promise.allSettled([this.#ending, shell.exited, reported]).then(() => {});
  }

  /**
   * Starts a process inside with the standard streams of this one. It runs a shell script from an open file, which replaces
   * itself by the program. Throws the system's error.
   */
  attach(script: number, reserved: Reserved): Bun.Subprocess {
    const { watch } = this.#options;
    using opened = reopened(this.#filter);
    const command = this.#entering(["/bin/sh", "-c", `. /dev/fd/${SCRIPT}`], { reserved, descriptor: SCRIPT + 1 });
    const stdio = ["inherit", "inherit", "inherit", script, ...opened.descriptors] as const;
    const attached = Bun.spawn(command, { ...APART, stdio: [...stdio] });
    void attached.exited.then(watch(attached.pid));
    return attached;
  }

  /** Running commands continue without a bridge; no shell starts any more. Never throws; may be called twice. */
  async close(): Promise<void> {
    // The holder may look alive for a moment, in which a command that ends would have the next shell started.
    this.#isClosed = true;
    for (const starting of this.#starting) this.#end(starting);
    this.#holder.close();
    this.#bridge?.close();
    await this.rest();
  }

  async #connect(bridge: Promise<readonly string[]>): Promise<void> {
    const { programs, watch } = this.#options;
    const command = [...entrance(programs, this.#holder, ["net"]), ...(await bridge)];
    this.#bridge = await Holder.start(command, watch);
    if (!this.#holder.isOpen) this.#bridge.close();
  }

  /** The command that runs a program inside, with the filter of system calls at this descriptor. */
  #entering(program: readonly string[], { reserved, descriptor }: EnteringShell): string[] {
    return enteringCommand(this.#options, this.#holder, {
      ...{ program, reserved },
      filter: this.#filter === undefined ? undefined : descriptor,
    });
  }

  #takeWaiting(reserved: Reserved): StartingShell | undefined {
    const waiting = this.#waiting;
    if (waiting?.reserved !== keyOf(reserved)) {
      void this.rest();
      return undefined;
    }
    this.#waiting = undefined;
    return isAlive(waiting.shell) ? waiting : undefined;
  }

  #startShell(reserved: Reserved): StartingShell {
    if (this.#isClosed) throw new SandboxStartError(CLOSED);
    const { hasChannel, watch } = this.#options;
    using opened = reopened(this.#filter);
    const channel = hasChannel ? (["socket-fd"] as const) : [];
    const command = this.#entering(["/bin/sh"], { reserved, descriptor: 3 + channel.length });
    const shell = Bun.spawn(command, { ...APART, stdio: ["pipe", "pipe", "pipe", ...channel, ...opened.descriptors] });
    shell.unref();
    void shell.exited.then(watch(shell.pid));
    // A shell that has already ended is noticed by its missing report.
    attempt(() => void shell.stdin.write("echo\n"));
    attempt(() => void Promise.resolve(shell.stdin.flush()).catch(() => {}));
    const reported = firstLine(shell).then((line) => line !== undefined);
    reported.catch(() => {});
    return { shell, reserved: keyOf(reserved), reported };
  }
}
