/** What the scripted model answers to one request. */
export type Reply =
  | { readonly kind: "text" }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "bash"; readonly command: string }
  /** Many text deltas: all in one network write (`burst`), or each in one of its own. */
  | { readonly kind: "deltas"; readonly count: number; readonly burst: boolean };

export interface Scenario {
  readonly name: string;
  readonly replies: readonly Reply[];
  /** What the last request holds if the last tool really ran. */
  readonly evidence?: string;
  /** Whether it continues the session that `HISTORY` made. */
  readonly resumes?: boolean;
  /** Whether it compares a sandboxed shell with a bare one. */
  readonly isSandboxed?: boolean;
}

const READS = Number(process.env["READS"] ?? 50);
const ECHOES = 10;
export const DELTAS = 10_000;

/** 200 files of 25 kB make a session of 5 MB. */
const HISTORY_READS = 200;
const HISTORY_FILE_BYTES = 25_000;

const note = (index: number): string => `notes/${index}.txt`;
const page = (index: number): string => `pages/${index}.txt`;
const firstLine = (path: string): string => `This is ${path}.`;

/** What the shell prints is not in the command. */
const echo = (index: number): Reply => ({ kind: "bash", command: `echo $((${index} + 4000))` });

const reads = (count: number, path: (index: number) => string): readonly Reply[] => [
  ...Array.from({ length: count }, (_, index): Reply => ({ kind: "read", path: path(index) })),
  { kind: "text" },
];

export const SCENARIOS: readonly Scenario[] = [
  { name: "text", replies: [{ kind: "text" }] },
  { name: "reads", replies: reads(READS, note), evidence: firstLine(note(READS - 1)) },
  { name: "burst", replies: [{ kind: "deltas", count: DELTAS, burst: true }] },
  { name: "drip", replies: [{ kind: "deltas", count: DELTAS, burst: false }] },
  { name: "resume", replies: [{ kind: "text" }], resumes: true },
  {
    name: "echo",
    replies: [...Array.from({ length: ECHOES }, (_, index) => echo(index)), { kind: "text" }],
    evidence: String(ECHOES - 1 + 4000),
    isSandboxed: true,
  },
];

/** Makes the long session that `resume` continues. */
export const HISTORY: Scenario = {
  name: "history",
  replies: reads(HISTORY_READS, page),
  evidence: firstLine(page(HISTORY_READS - 1)),
};

/** The files that the scenarios read, by path. */
export function filesToRead(): ReadonlyMap<string, string> {
  const filler = `${"All work and no play makes a dull benchmark. ".repeat(2)}\n`;
  const long = filler.repeat(HISTORY_FILE_BYTES / filler.length);
  const notes = Array.from({ length: READS }, (_, index) => [note(index), `${firstLine(note(index))}\n`] as const);
  const pages = Array.from(
    { length: HISTORY_READS },
    (_, index) => [page(index), `${firstLine(page(index))}\n${long}`] as const,
  );
  return new Map([...notes, ...pages]);
}
