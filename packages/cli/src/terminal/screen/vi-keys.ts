/** The editor that vi keys control. */
export interface ViTarget {
  /** The current lines, at each read. */
  readonly lines: readonly string[];
  readonly cursor: { readonly line: number; readonly col: number };
  /** Handles a key as without vi keys. */
  press(key: string): void;
  /** Inserts a text before the cursor. */
  insert(text: string): void;
}

const LEFT = "\u001b[D";
const RIGHT = "\u001b[C";
const UP = "\u001b[A";
const DOWN = "\u001b[B";
const DELETE = "\u001b[3~";
const BACKSPACE = "\u007f";
const LINE_START = "\u0001";
const LINE_END = "\u0005";
const CUT_TO_END = "\u000b";
const NEW_LINE = "\n";
const UNDO = "\u001f";

/** Keys that a command presses before inserting. */
const BEFORE_INSERT: Readonly<Record<string, readonly string[]>> = {
  i: [],
  a: [RIGHT],
  A: [LINE_END],
  I: [LINE_START],
  o: [LINE_END, NEW_LINE],
};

interface Register {
  readonly text: string;
  readonly isLine: boolean;
}

/** The most common keys of vi: `i a A I o`, `h j k l w b e 0 $`, `x dd D`, `yy p u`, Esc. Starts in insert mode. */
export class ViKeys {
  #mode: "insert" | "normal" = "insert";
  /** The first key of a two-key command, such as `dd`. */
  #pending = "";
  #register: Register = { text: "", isLine: false };

  get mode(): "insert" | "normal" {
    return this.#mode;
  }

  /** Handles Esc in insert mode. */
  leaveInsert(target: ViTarget): void {
    this.#mode = "normal";
    this.#pending = "";
    if (target.cursor.col > 0) target.press(LEFT);
  }

  /** Handles a character in normal mode. */
  type(character: string, target: ViTarget): void {
    const command = this.#pending + character;
    this.#pending = "";
    if (command === "d" || command === "y") this.#pending = command;
    else this.#run(command, target);
  }

  #run(command: string, target: ViTarget): void {
    const move = MOVES.get(command);
    if (move !== undefined) move(target);
    else if (command in BEFORE_INSERT) this.#insertAfter(command, target);
    else this.#change(command, target);
  }

  #change(command: string, target: ViTarget): void {
    const rest = restOf(target);
    switch (command) {
      case "x":
        this.#cut(graphemeOf(rest), DELETE, target);
        break;
      case "D":
        this.#cut(rest, CUT_TO_END, target);
        break;
      case "dd":
        this.#register = { text: lineOf(target), isLine: true };
        removeLine(target);
        break;
      case "yy":
        this.#register = { text: lineOf(target), isLine: true };
        break;
      case "p":
        this.#put(target);
        break;
      case "u":
        target.press(UNDO);
        break;
    }
  }

  #cut(text: string, key: string, target: ViTarget): void {
    if (text === "") return;
    this.#register = { text, isLine: false };
    target.press(key);
  }

  #insertAfter(command: string, target: ViTarget): void {
    for (const key of BEFORE_INSERT[command] ?? []) {
      if (key !== RIGHT || restOf(target) !== "") target.press(key);
    }
    this.#mode = "insert";
  }

  #put(target: ViTarget): void {
    const { text, isLine } = this.#register;
    if (isLine) {
      target.press(LINE_END);
      target.insert(`\n${text}`);
    } else if (text !== "") {
      if (restOf(target) !== "") target.press(RIGHT);
      target.insert(text);
    }
  }
}

function removeLine(target: ViTarget): void {
  const { cursor, lines } = target;
  target.press(LINE_START);
  if ((lines[cursor.line] ?? "") !== "") target.press(CUT_TO_END);
  if (lines.length === 1) return;
  if (cursor.line < lines.length - 1) {
    target.press(DELETE);
  } else {
    target.press(BACKSPACE);
    target.press(LINE_START);
  }
}

const MOVES: ReadonlyMap<string, (target: ViTarget) => void> = new Map([
  ["h", (target) => target.cursor.col > 0 && target.press(LEFT)],
  ["l", (target) => restOf(target) !== "" && target.press(RIGHT)],
  ["j", (target) => target.press(DOWN)],
  ["k", (target) => target.press(UP)],
  ["0", (target) => target.press(LINE_START)],
  ["$", (target) => target.press(LINE_END)],
  ["w", (target) => moveTo(target, nextStart(textOf(target), offsetOf(target)))],
  ["b", (target) => moveTo(target, startBefore(textOf(target), offsetOf(target)))],
  ["e", (target) => moveTo(target, endBehind(textOf(target), offsetOf(target)))],
]);

const lineOf = ({ lines, cursor }: ViTarget): string => lines[cursor.line] ?? "";

/** The line from the cursor on. */
const restOf = (target: ViTarget): string => lineOf(target).slice(target.cursor.col);

const graphemeOf = (text: string): string => [...new Intl.Segmenter().segment(text)][0]?.segment ?? "";

const textOf = ({ lines }: ViTarget): string => lines.join("\n");

const offsetOf = ({ lines, cursor }: ViTarget): number =>
  lines.slice(0, cursor.line).reduce((sum, line) => sum + line.length + 1, cursor.col);

/** A run of word characters, or of other non-space characters. */
const WORD = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+/gu;

const startsOf = (text: string): readonly number[] => [...text.matchAll(WORD)].map(({ index }) => index);

const nextStart = (text: string, from: number): number => startsOf(text).find((start) => start > from) ?? text.length;

const startBefore = (text: string, from: number): number => startsOf(text).findLast((start) => start < from) ?? 0;

const endBehind = (text: string, from: number): number =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => index + word.length - 1).find((end) => end > from) ??
  text.length;

/** Uses the editor's steps, which never stop within a character or a folded paste. */
function moveTo(target: ViTarget, offset: number): void {
  const key = offset < offsetOf(target) ? LEFT : RIGHT;
  for (let before = -1, now = offsetOf(target); now !== before && now !== offset; now = offsetOf(target)) {
    if (key === RIGHT ? now > offset : now < offset) return;
    before = now;
    target.press(key);
  }
}
