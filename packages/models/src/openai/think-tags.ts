/** A part of an answer's text. */
export interface TaggedPart {
  readonly type: "text" | "thinking";
  readonly text: string;
  /** Set if this is all text so far, which was already emitted as text. */
  readonly isRecast?: true;
}

/** Marks that models write around thinking, for servers that do not separate it. */
const MARKS: readonly (readonly [string, string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<thoughts>", "</thoughts>"],
  ["<reasoning>", "</reasoning>"],
  ["<reason>", "</reason>"],
  ["[think]", "[/think]"],
  ["<seed:think>", "</seed:think>"],
  ["◁think▷", "◁/think▷"],
  ["<mm:think>", "</mm:think>"],
  ["<antthinking>", "</antthinking>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|start_thinking|>", "<|end_thinking|>"],
  // Harmony, the format of gpt-oss, from servers that do not parse it.
  ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
];

/** End marks of thinking whose start mark is in the model's template. */
const LONE_END = /<\/think>|\[\/think\]/i;
const MAX_END = "</think>".length;

const MAX_MARK = Math.max(...MARKS.map(([begin]) => begin.length));

/**
 * Separates thinking from text at the start of an answer that arrives in arbitrary pieces. A mark that is only mentioned later stays text.
 * An end mark without a start mark turns all text before it into thinking, unless it is in code or within a sentence.
 */
export class ThinkTags {
  #state: "start" | "thinking" | "text" | "over" = "start";
  /** Undecided text: at most a mark and the blanks before it. */
  #held = "";
  /** How many of its characters are blanks; all of them until something else arrives. */
  #blanks = 0;
  #end = "";
  #hasThought = false;
  /** The text so far, while an end mark without a start mark may follow. */
  #text = "";
  /** The end of the text, which may be the start of a mark. */
  #tail = "";

  add(piece: string): readonly TaggedPart[] {
    const parts: TaggedPart[] = [];
    let rest = piece;
    if (this.#state === "start" && this.#held.length === this.#blanks && piece.trim() === "") {
      this.#held += piece;
      this.#blanks += piece.length;
      return parts;
    }
    this.#blanks = 0;
    while (rest !== "") {
      const text = this.#held + rest;
      this.#held = "";
      if (this.#state === "start") rest = this.#start(text);
      else if (this.#state === "thinking") rest = this.#think(text, parts);
      else rest = this.#pass(text, parts);
    }
    return parts;
  }

  /** Called when something other than text arrives: a later end mark without a start mark does not count. */
  leave(): void {
    if (this.#state === "text") this.#state = "over";
    this.#text = "";
  }

  /** Called after the last text. Returns the undecided rest. */
  end(): readonly TaggedPart[] {
    const text = this.#held;
    this.#held = "";
    if (text === "" || (this.#hasThought && text.trim() === "")) return [];
    return [{ type: this.#state === "thinking" ? "thinking" : "text", text }];
  }

  /** Looks for a start mark. Returns the text to read again in the new state. */
  #start(text: string): string {
    const said = text.trimStart().slice(0, MAX_MARK).toLowerCase();
    const mark = MARKS.find(([begin]) => said.startsWith(begin));
    if (mark !== undefined) {
      this.#state = "thinking";
      [, this.#end] = mark;
      this.#hasThought = true;
      return text.trimStart().slice(mark[0].length);
    }
    if (MARKS.some(([begin]) => begin.startsWith(said))) {
      this.#held = text;
      return "";
    }
    this.#state = this.#hasThought ? "over" : "text";
    return this.#hasThought ? text.trimStart() : text;
  }

  #think(text: string, parts: TaggedPart[]): string {
    const end = text.toLowerCase().indexOf(this.#end);
    const length = end < 0 ? text.length - heldLength(text, this.#end) : end;
    if (length > 0) parts.push({ type: "thinking", text: text.slice(0, length) });
    if (end < 0) {
      this.#held = text.slice(length);
      return "";
    }
    this.#state = "start";
    return text.slice(end + this.#end.length);
  }

  /** Emits text and looks for an end mark without a start mark. */
  #pass(text: string, parts: TaggedPart[]): string {
    const end = this.#state === "text" ? this.#loneEnd(text) : undefined;
    if (end === undefined) {
      parts.push({ type: "text", text });
      return "";
    }
    parts.push({ type: "thinking", text: end.before, isRecast: true });
    return end.after;
  }

  #loneEnd(piece: string): { readonly before: string; readonly after: string } | undefined {
    const seen = this.#tail + piece;
    const start = this.#text.length - this.#tail.length;
    this.#text += piece;
    this.#tail = seen.slice(1 - MAX_END);
    const found = LONE_END.exec(seen);
    if (found === null) return undefined;
    const before = this.#text.slice(0, start + found.index);
    const after = this.#text.slice(before.length + found[0].length);
    this.#text = "";
    this.#state = "over";
    if (isMentioned(before)) return undefined;
    this.#hasThought = true;
    this.#state = "start";
    return { before, after };
  }
}

/** How many characters at the end of a text may be the start of a mark. */
function heldLength(text: string, mark: string): number {
  const tail = text.slice(-(mark.length - 1)).toLowerCase();
  for (let length = tail.length; length > 0; length--) if (mark.startsWith(tail.slice(-length))) return length;
  return 0;
}

/** Whether an end mark after this text is in code, within a sentence, or has a start mark in the text. */
function isMentioned(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isInBlock = (before.match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
  const isInCode = (line.match(/`/g)?.length ?? 0) % 2 === 1;
  return isInBlock || isInCode || /<think>|\[think\]/i.test(before) || /\S[ \t]+$|["'(“‘«]$/.test(line);
}
