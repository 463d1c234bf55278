import { lstatSync, type Stats } from "node:fs";
import { offsetOfRecent, readLines, readPrivateFile } from "@mdx-ai/base/disk";
import { addAnswer, type Cost, noCost } from "@mdx-ai/loop";
import { isRaise, parseUsageLine, type RaiseLine, type UsageLine, type UsageLogLine } from "./usage-line.ts";

/** What is spent, and what the user has added to limits. */
export interface Tally {
  readonly cost: Cost;
  readonly raises: readonly RaiseLine[];
}

const NOTHING: Tally = { cost: noCost, raises: [] };

/** The lines of a usage log from a moment until another one, in milliseconds since 1970. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How far lines of different processes may be out of time order, in milliseconds. */
const DISORDER = 3_600_000;

/** Adds up the lines of a span. Each call reads only the lines that were added since the last one, and only the end of a long file. */
export class UsageView {
  readonly span: Span;
  readonly #path: string;
  #inode = 0;
  /** The offset of the next read, in bytes. */
  #offset = 0;
  #tally: Tally = NOTHING;

  constructor(path: string, span: Span) {
    this.#path = path;
    this.span = span;
  }

  /** With lines that are not in the file yet. Throws the file system's error, or `NewerVersionError`. */
  tally(unwritten: readonly UsageLogLine[]): Tally {
    const stats = lstatSync(this.#path, { throwIfNoEntry: false });
    if (!stats) this.#forget(0);
    else if (stats.ino !== this.#inode || stats.size !== this.#offset)
      readPrivateFile(this.#path, (descriptor, opened) => this.#read(descriptor, opened));
    return tallyOf(this.span, unwritten, this.#tally);
  }

  #read(descriptor: number, { ino, size }: Stats): void {
    const parse = (text: string): UsageLogLine | undefined => parseUsageLine(text, this.#path);
    // Another file, or one that has become shorter.
    if (ino !== this.#inode || this.#offset > size) {
      this.#forget(ino);
      if (this.span.start > 0)
        this.#offset = offsetOfRecent(descriptor, size, (text) => isBefore(this.span, parse(text)));
    }
    let tally = this.#tally;
    const onLine = (text: string): void => {
      const line = parse(text);
      if (line && includes(this.span, line)) tally = added(tally, line);
    };
    this.#offset = readLines(descriptor, onLine, { from: this.#offset, to: size });
    this.#tally = tally;
  }

  #forget(inode: number): void {
    this.#inode = inode;
    this.#offset = 0;
    this.#tally = NOTHING;
  }
}

/** Adds the lines of a span. */
export const tallyOf = (span: Span, lines: readonly UsageLogLine[], before: Tally = NOTHING): Tally =>
  lines.filter((line) => includes(span, line)).reduce(added, before);

function includes({ start, end }: Span, { at }: UsageLogLine): boolean {
  const time = Date.parse(at);
  return start <= time && time < end;
}

function added({ cost, raises }: Tally, line: UsageLogLine): Tally {
  if (!isRaise(line)) return { cost: withLine(cost, line), raises };
  const isKnown = raises.some(({ key, id }) => key === line.key && id === line.id);
  return isKnown ? { cost, raises } : { cost, raises: [...raises, line] };
}

export const withLine = (cost: Cost, line: UsageLine): Cost =>
  addAnswer(cost, { usage: line, latency: line.latency ?? 0 }, line.usd);

const isBefore = ({ start }: Span, line: UsageLogLine | undefined): boolean =>
  line !== undefined && Date.parse(line.at) < start - DISORDER;
