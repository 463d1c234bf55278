import type { Step } from "./story.ts";

/** What a terminal showed from a moment on. */
export interface Frame {
  /** Milliseconds since the first frame. */
  readonly at: number;
  /** Its rows, with SGR sequences. */
  readonly rows: readonly string[];
}

interface RecordOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly story: readonly Step[];
}

const SESSION = `mdx-ai-recording-${process.pid}`;
const ESCAPE = String.fromCharCode(27);
const SGR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");
const LAST_RESET = new RegExp(`^.*${ESCAPE}\\[0?m`);
const KEY_PAUSE = 14;
const POLL = 60;
const MAX_WAIT = 30_000;
/** Longer pauses of the program are shortened to this. */
const MAX_STILL = 2000;

/** Plays a story in a shell in tmux, and returns what it showed; the last frame is when it ended. */
export async function recordTerminal({ columns, rows, cwd, environment, story }: RecordOptions): Promise<Frame[]> {
  const frames: Frame[] = [];
  const shell = ["env", ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), "sh", "-i"];
  const size = ["-x", `${columns}`, "-y", `${rows}`, "-c", cwd];
  tmux("new-session", "-d", "-s", SESSION, ...size, ...shell);
  tmux("set-option", "-t", SESSION, "status", "off");
  const watching = watch(frames);
  try {
    for (const step of story) await play(step);
  } finally {
    clearInterval(watching);
    frames.push({ at: performance.now(), rows: screen() });
    tmux("kill-session", "-t", SESSION);
  }
  return fromZero(frames);
}

function watch(frames: Frame[]): NodeJS.Timeout {
  return setInterval(() => {
    const rows = screen();
    if (frames.at(-1)?.rows.join("\n") !== rows.join("\n")) frames.push({ at: performance.now(), rows });
  }, POLL);
}

async function play(step: Step): Promise<void> {
  if (step.do === "pause") return Bun.sleep(step.milliseconds);
  if (step.do === "wait") return waitFor(step.text);
  for (const character of step.text) {
    if (character === "\n") tmux("send-keys", "-t", SESSION, "Enter");
    else tmux("send-keys", "-t", SESSION, "-H", ...[...Buffer.from(character)].map((byte) => byte.toString(16)));
    await Bun.sleep(KEY_PAUSE);
  }
}

async function waitFor(text: string): Promise<void> {
  const end = performance.now() + MAX_WAIT;
  while (!Bun.stripANSI(screen().join("\n")).includes(text)) {
    if (performance.now() > end) throw new Error(`no ${JSON.stringify(text)} on the screen:\n${screen().join("\n")}`);
    await Bun.sleep(POLL);
  }
}

/** The rows; tmux continues the style of a row in the next one, so each begins with the sequences that still apply. */
function screen(): readonly string[] {
  let active = "";
  const shown = tmux("capture-pane", "-e", "-p", "-t", SESSION).replace(/\n$/, "");
  return shown.split("\n").map((row) => {
    const whole = `${active}${row}`;
    active = (whole.match(SGR) ?? []).join("").replace(LAST_RESET, "");
    return whole;
  });
}

function tmux(...args: readonly string[]): string {
  const { stdout, stderr, success } = Bun.spawnSync(["tmux", "-L", SESSION, "-f", "/dev/null", ...args]);
  if (!success) throw new Error(`tmux ${args[0]}: ${stderr.toString()}`);
  return stdout.toString();
}

function fromZero(frames: readonly Frame[]): Frame[] {
  let at = 0;
  return frames.map((frame, index) => {
    at += Math.min(MAX_STILL, frame.at - (frames[index - 1] ?? frame).at);
    return { ...frame, at: Math.round(at) };
  });
}
