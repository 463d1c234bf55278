import { type CliOptions, cliCommand, cliEnvironment } from "./run-cli.ts";

/** When a process is killed with SIGKILL. */
export type CrashKill = SystemCallKill | MomentKill | SignKill;

/** At the so manieth system call of a kind, counted from 1 for each thread. Needs strace. */
interface SystemCallKill {
  readonly at: "call";
  /** Such as "write" or "rename,renameat2". */
  readonly name: string;
  /** Absolute; may not exist yet. Without it any file counts. */
  readonly path?: string;
  readonly number: number;
  /**
   * Without it the process dies before the call does anything. With it, when the call is done, which this tells, and before
   * the thread goes on.
   */
  readonly isDone?: () => boolean;
}

/** So many milliseconds after the start. */
interface MomentKill {
  readonly at: "moment";
  readonly milliseconds: number;
}

/** As soon as something can be seen. */
interface SignKill {
  readonly at: "sign";
  /** `stdout` is what has come so far. */
  readonly isSeen: (stdout: string) => boolean;
}

export interface KilledRunOptions extends CliOptions {
  readonly kill?: CrashKill;
}

/** How a process ended. */
export interface KilledRun {
  readonly wasKilled: boolean;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that takes longer hangs. */
const DEADLINE_MILLISECONDS = 50_000;

/** Runs the program until it is killed, or to its end where the moment for that never comes. */
export async function killedRun(args: readonly string[], options: KilledRunOptions): Promise<KilledRun> {
  const { kill, cwd = options.home } = options;
  const child = Bun.spawn([...tracer(kill), ...cliCommand(args)], {
    cwd,
    env: cliEnvironment(options),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: DEADLINE_MILLISECONDS,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  const reading = readText(child.stdout, (text) => {
    stdout += text;
  });
  const ended = Promise.all([child.exited, reading]);
  const killer = killWhenDue(kill, { child, stdout: () => stdout });
  const [stderr] = await Promise.all([child.stderr.text(), ended]);
  await killer;
  return { wasKilled: child.signalCode === "SIGKILL", exitCode: child.exitCode, stdout, stderr };
}

/** The command that starts a program whose system calls are counted; it stands aside, so that the process itself is the child. */
export function tracer(kill: CrashKill | undefined): readonly string[] {
  if (kill?.at !== "call") return [];
  const { name, path, number, isDone } = kill;
  const fate = isDone ? `delay_exit=${HOLD_MICROSECONDS}` : "signal=KILL";
  const filter = [
    ...(path === undefined ? [] : ["-P", path]),
    "-e",
    `trace=${name}`,
    "-e",
    `inject=${name}:${fate}:when=${number}`,
  ];
  return ["strace", "-D", "-f", "-qq", "-o", "/dev/null", ...filter];
}

/** Long enough for whoever watches; where they are late all the same, the kill comes a little later. */
const HOLD_MICROSECONDS = 300_000;

interface Watched {
  readonly child: Bun.Subprocess;
  readonly stdout: () => string;
}

async function killWhenDue(kill: CrashKill | undefined, { child, stdout }: Watched): Promise<void> {
  const isDue = dueOf(kill, stdout);
  if (isDue === undefined) return;
  while (child.exitCode === null && child.signalCode === null) {
    if (isDue()) {
      child.kill("SIGKILL");
      return;
    }
    await Bun.sleep(1);
  }
}

/** Whether the time has come, for those kills that are done from here. */
function dueOf(kill: CrashKill | undefined, stdout: () => string): (() => boolean) | undefined {
  switch (kill?.at) {
    case "call":
      return kill.isDone;
    case "sign":
      return () => kill.isSeen(stdout());
    case "moment": {
      const due = performance.now() + kill.milliseconds;
      return () => performance.now() >= due;
    }
    case undefined:
      return undefined;
  }
}

async function readText(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
}
