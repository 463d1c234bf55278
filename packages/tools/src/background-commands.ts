import { secondsText } from "@mdx-ai/base";
import type { SandboxAccess } from "@mdx-ai/loop";
import type { Reaper } from "@mdx-ai/mcp/reaper";
import type { RunningShell, ShellCommand, ShellEnd } from "./shell-run.ts";

/** A command in the background of a session, as a user sees it. */
export interface BackgroundCommand {
  /** Random, so that it never means the command of an earlier process. */
  readonly id: string;
  /** As the model wrote it: untrusted. */
  readonly command: string;
  readonly isRunning: boolean;
}

/** What a background command wrote since the last look, and its state. */
export interface BackgroundOutput {
  readonly text: string;
  /** How many characters at the start of the text were dropped. */
  readonly dropped: number;
  /** Undefined while it runs. */
  readonly end: ShellEnd | undefined;
}

/** A command to start. */
export interface StartedCommand extends Omit<ShellCommand, "seconds"> {
  /** The seconds after which it is killed; never if absent. */
  readonly seconds?: number | undefined;
}

/** The session has as many background commands as it may. */
class ManyBackgroundCommandsError extends Error {
  override readonly name = "ManyBackgroundCommandsError";

  constructor(ids: readonly string[]) {
    super(`${ids.length} commands run in the background, the most that may; end one with bash_stop: ${ids.join(", ")}`);
  }
}

/** The most background commands of a session that run at a time. */
const MAX_RUNNING = 10;
/** The most characters of unread output that are kept. */
const MAX_UNREAD = 262_144;

/** A command that runs, or ran, in the background. */
class Job {
  readonly command: string;
  end: ShellEnd | undefined;
  ended: Promise<unknown> = Promise.resolve();
  #running: RunningShell | undefined;
  #unread = "";
  #dropped = 0;

  constructor(command: string) {
    this.command = command;
  }

  run(running: RunningShell, seconds: number | undefined): void {
    this.#running = running;
    const kill = (): void => running.kill(`it timed out after ${secondsText(seconds ?? 0)}`);
    const timer = seconds === undefined ? undefined : setTimeout(kill, seconds * 1000).unref();
    this.ended = running.ended
      .then((end) => {
        this.end = end;
      })
      .finally(() => clearTimeout(timer));
    this.ended.catch(() => {});
  }

  add(text: string): void {
    this.#unread += text;
    const surplus = this.#unread.length - MAX_UNREAD;
    if (surplus <= MAX_UNREAD) return;
    this.#unread = this.#unread.slice(surplus);
    this.#dropped += surplus;
  }

  /** The output as a terminal shows it. */
  async take(): Promise<BackgroundOutput> {
    const { TerminalText } = await import("./terminal-text.ts");
    const terminal = new TerminalText();
    const text = terminal.add(this.#unread) + terminal.end();
    const dropped = this.#dropped;
    this.#unread = "";
    this.#dropped = 0;
    return { text, dropped, end: this.end };
  }

  kill(): void {
    this.#running?.kill();
  }

  /** Whether it runs in another network. */
  isApart(network: unknown): boolean {
    return this.#running !== undefined && this.end === undefined && this.#running.network !== network;
  }
}

/** The background commands of an agent's sessions. They live in this process alone, and end with their session. */
export class BackgroundCommands {
  readonly #sessions = new Map<string, Map<string, Job>>();
  #reaper: Reaper | undefined;

  /** Ends commands without a sandbox if this process is killed: those of the foreground, too. */
  readonly reaper = async (): Promise<Reaper> => {
    const { Reaper: Opened } = await import("@mdx-ai/mcp/reaper");
    this.#reaper ??= new Opened({ name: "mdx-ai-command-reaper" });
    // Before the command, so that no moment is left in which nothing would end it.
    this.#reaper.start();
    return this.#reaper;
  };

  /** Starts a command, and returns its id. Rejects with `ManyBackgroundCommandsError`, or as `startShell` does. */
  async start(
    session: string,
    { seconds, ...shellCommand }: StartedCommand,
    granted: readonly SandboxAccess[],
  ): Promise<string> {
    const running = this.list(session).filter(({ isRunning }) => isRunning);
    if (running.length >= MAX_RUNNING) throw new ManyBackgroundCommandsError(running.map(({ id }) => id));
    const id = crypto.randomUUID().slice(0, 8);
    const job = new Job(shellCommand.command);
    const jobs = this.#jobsOf(session);
    // Counts from now on, so that calls side by side cannot start too many.
    jobs.set(id, job);
    try {
      const { startShell } = await import("./shell-run.ts");
      const { reaper } = this;
      job.run(await startShell({ ...shellCommand, reaper, onOutput: (text) => job.add(text) }, granted), seconds);
    } catch (error) {
      jobs.delete(id);
      throw error;
    }
    return id;
  }

  /** The commands of a session that this process started, in order, ended ones included. */
  list(session: string): readonly BackgroundCommand[] {
    const jobs = [...(this.#sessions.get(session) ?? [])];
    return jobs.map(([id, { command, end }]) => ({ id, command, isRunning: end === undefined }));
  }

  /** The ids of commands of a session that run in another network than this one. */
  apart(session: string, network: unknown): readonly string[] {
    return [...(this.#sessions.get(session) ?? [])].filter(([, job]) => job.isApart(network)).map(([id]) => id);
  }

  /** The output of a command since the last call; undefined if this process started none with this id. */
  async take(session: string, id: string): Promise<BackgroundOutput | undefined> {
    return this.#sessions.get(session)?.get(id)?.take();
  }

  /** Resolves when the command ends, or when the signal fires. Rejects as the command does. */
  async ended(session: string, id: string, signal: AbortSignal): Promise<void> {
    const job = this.#sessions.get(session)?.get(id);
    if (job === undefined || signal.aborted) return;
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    signal.addEventListener("abort", stop, { once: true });
    await Promise.race([job.ended, stopped]).finally(() => signal.removeEventListener("abort", stop));
  }

  /** Kills a command and all that it started, and waits for its end. Never rejects. */
  async stop(session: string, id: string): Promise<void> {
    const job = this.#sessions.get(session)?.get(id);
    job?.kill();
    await job?.ended.catch(() => {});
  }

  /** Ends all commands of a session, or of all sessions, and forgets them. Never rejects. */
  async end(session?: string): Promise<void> {
    const ending = session === undefined ? [...this.#sessions.keys()] : [session];
    const jobs = ending.flatMap((name) => [...(this.#sessions.get(name)?.values() ?? [])]);
    for (const name of ending) this.#sessions.delete(name);
    for (const job of jobs) job.kill();
    await Promise.allSettled(jobs.map((job) => job.ended));
    if (session !== undefined) return;
    const reaper = this.#reaper;
    this.#reaper = undefined;
    await reaper?.close();
  }

  /** Resolves when all commands that run now have ended; undefined if none runs. Never rejects. */
  settled(): Promise<unknown> | undefined {
    const running = [...this.#sessions.values()].flatMap((jobs) => [...jobs.values()]).filter((job) => !job.end);
    return running.length === 0 ? undefined : Promise.allSettled(running.map((job) => job.ended));
  }

  #jobsOf(session: string): Map<string, Job> {
    const jobs = this.#sessions.get(session) ?? new Map<string, Job>();
    this.#sessions.set(session, jobs);
    return jobs;
  }
}
