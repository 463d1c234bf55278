import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds within which something must show; machines may be busy. */
const deadline = 100_000;
const pollPause = 25;
const fromStart = ["-S", "-"];

export interface TmuxOptions {
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** All variables of the command; those with an empty value are set to nothing. */
  readonly environment: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

type Condition = string | RegExp | ((screen: string) => boolean);

/** A program in a real terminal. Disposing ends it, and the tmux server that is its alone. */
export interface TmuxTerminal extends AsyncDisposable {
  /** Presses keys by tmux's names, such as `Enter` or `C-c`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a text as it is. */
  type(text: string): Promise<void>;
  /** Pastes as a terminal does: between brackets where the program asked for them. */
  paste(text: string): Promise<void>;
  /** Pastes as a terminal without brackets does: as if it were typed at once, each new line as Enter. */
  pasteAsTyped(text: string): Promise<void>;
  /** The visible lines. */
  screen(): Promise<string>;
  /** The visible lines, with their escape sequences of colour. */
  colours(): Promise<string>;
  /** All lines, from the start of the scrollback. */
  history(): Promise<string>;
  /**
   * Polls the visible lines until they hold; gives them. Rejects after a generous time, and when the command has ended
   * before, and shows what there was.
   */
  waitFor(condition: Condition): Promise<string>;
  /** The same for all lines; for what may scroll away. */
  waitForHistory(condition: Condition): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** What a format of tmux says of the pane, such as `#{pane_title}`. */
  ask(format: string): Promise<string>;
  /** Waits for the end of the command and gives its exit code. */
  exitCode(): Promise<number>;
  /** The process id of the command. */
  pid(): Promise<number>;
}

/** Starts a command in a tmux of its own. The pane stays when the command has ended. */
export async function openTmux(options: TmuxOptions): Promise<TmuxTerminal> {
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-tmux-"));
  const tmux = (args: readonly string[], input = ""): Promise<string> => runTmux(join(folder, "socket"), args, input);
  const size = ["-x", `${options.columns ?? 80}`, "-y", `${options.rows ?? 24}`];
  const variables = Object.entries(options.environment).map(([name, value]) => `${name}=${value}`);
  const command = ["env", "-i", "TERM=tmux-256color", ...variables, ...options.command];
  await tmux([
    ...["set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "history-limit", "50000", ";"],
    ...["new-session", "-d", "-c", options.cwd, ...size, ...command],
  ]);
  return terminalOf(tmux, folder);
}

type Tmux = (args: readonly string[], input?: string) => Promise<string>;

function terminalOf(tmux: Tmux, folder: string): TmuxTerminal {
  const ask = async (format: string): Promise<string> => (await tmux(["display-message", "-p", format])).trimEnd();
  const call = async (...args: readonly string[]): Promise<void> => {
    await tmux(args);
  };
  return {
    press: (...keys) => call("send-keys", ...keys),
    type: (text) => call("send-keys", "-l", "--", text),
    async paste(text) {
      await tmux(["load-buffer", "-"], text);
      await tmux(["paste-buffer", "-p"]);
    },
    async pasteAsTyped(text) {
      await tmux(["load-buffer", "-"], text);
      await tmux(["paste-buffer"]);
    },
    screen: () => tmux(["capture-pane", "-p"]),
    colours: () => tmux(["capture-pane", "-p", "-e"]),
    history: () => tmux(["capture-pane", "-p", ...fromStart]),
    waitFor: (condition) => pollFor(tmux, condition, []),
    waitForHistory: (condition) => pollFor(tmux, condition, fromStart),
    resize: (columns, rows) => call("resize-window", "-x", `${columns}`, "-y", `${rows}`),
    ask,
    async exitCode() {
      await poll(
        () => lookAt(tmux, []),
        ({ isDead }) => isDead,
        "the end of the command",
      );
      const end = performance.now() + deadline;
      while ((await ask("#{pane_dead_status}#{pane_dead_signal}")) === "") {
        if (performance.now() > end) throw new Error("tmux never learned how the command ended.");
        // tmux may miss the signal of the command's end; the end of another makes it look at all.
        await call("run-shell", "true");
      }
      return Number(await ask("#{pane_dead_status}"));
    },
    pid: async () => Number(await ask("#{pane_pid}")),
    async [Symbol.asyncDispose]() {
      await tmux(["kill-server"]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Look {
  readonly screen: string;
  /** The command has ended. */
  readonly isDead: boolean;
}

async function pollFor(tmux: Tmux, condition: Condition, range: readonly string[]): Promise<string> {
  const accepts = ({ screen }: Look): boolean => holds(screen, condition);
  const { screen } = await poll(() => lookAt(tmux, range), accepts, String(condition));
  return screen;
}

async function poll(look: () => Promise<Look>, accepts: (look: Look) => boolean, name: string): Promise<Look> {
  const end = performance.now() + deadline;
  for (;;) {
    const seen = await look();
    if (accepts(seen)) {
      return seen;
    }
    if (seen.isDead || performance.now() > end) {
      throw new Error(`The terminal never showed ${name}. It shows:\n${seen.screen}`);
    }
    await Bun.sleep(pollPause);
  }
}

async function lookAt(tmux: Tmux, range: readonly string[]): Promise<Look> {
  const shown = await tmux(["display-message", "-p", "#{pane_dead}", ";", "capture-pane", "-p", ...range]);
  const end = shown.indexOf("\n");
  return { screen: shown.slice(end + 1), isDead: shown.slice(0, end) === "1" };
}

function holds(screen: string, condition: Condition): boolean {
  if (typeof condition === "string") {
    return screen.includes(condition);
  }
  return typeof condition === "function" ? condition(screen) : condition.test(screen);
}

/** `-u`: what it prints is UTF-8, whatever the locale of the tests; no configuration of the user is read. */
async function runTmux(socket: string, args: readonly string[], input: string): Promise<string> {
  const { TMUX: _tmux, ...environment } = process.env;
  const child = Bun.spawn(["tmux", "-u", "-f", "/dev/null", "-S", socket, ...args], {
    env: environment,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) {
    throw new Error(`tmux ${args[0]} failed: ${errors.trim()}`);
  }
  return output;
}
