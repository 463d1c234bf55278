/** A part of an answer's text. */
export interface TaggedPart {
  readonly type: "text" | "thinking";
  readonly text: string;
  /** Set if it is all that was said so far, which was passed on as text. */
  readonly isRecast?: true;
}

/** Marks around thinking that models write themselves, where their server does not take it out. */
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
  // Harmony, the format of gpt-oss, where nobody reads it.
  ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
];

/** The marks that end thinking of which the template of the model wrote the beginning. */
const LONE_END = /<\/think>|\[\/think\]/i;
const MAX_END = "</think>".length;

const MAX_MARK = Math.max(...MARKS.map(([begin]) => begin.length));

/**
 * Separates thinking from the text at the start of an answer, which may be cut anywhere. What merely mentions a mark later
 * stays text. An end without a beginning makes thinking of all before it, unless it is within code or in a sentence.
 */
export class ThinkTags {
  #state: "start" | "thinking" | "text" | "over" = "start";
  /** What is not decided yet: at most a mark and the blanks before it. */
  #held = "";
  /** How much of it is blanks: all of it as long as nothing else has come. */
  #blanks = 0;
  #end = "";
  #hasThought = false;
  /** The text so far, as long as an end without a beginning may follow. */
  #text = "";
  /** Its end, which may be the beginning of a mark. */
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

  /** Something other than text came: an end without a beginning is no mark from now on. */
  leave(): void {
    if (this.#state === "text") this.#state = "over";
    this.#text = "";
  }

  /** No more text follows: what was held is what it seems to be. */
  end(): readonly TaggedPart[] {
    const text = this.#held;
    this.#held = "";
    if (text === "" || (this.#hasThought && text.trim() === "")) return [];
    return [{ type: this.#state === "thinking" ? "thinking" : "text", text }];
  }

  /** Looks for a mark at the start. Returns what is to be read again in the new state. */
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

  /** Passes text on, and looks for an end whose beginning did not come. */
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

/** How much of the end of a text may be the beginning of a mark. */
function heldLength(text: string, mark: string): number {
  const tail = text.slice(-(mark.length - 1)).toLowerCase();
  for (let length = tail.length; length > 0; length--) if (mark.startsWith(tail.slice(-length))) return length;
  return 0;
}

/** Whether an end after this text is in code, in the middle of a sentence, or belongs to a beginning in the text. */
function isMentioned(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isInBlock = (before.match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
  const isInCode = (line.match(/`/g)?.length ?? 0) % 2 === 1;
  return isInBlock || isInCode || /<think>|\[think\]/i.test(before) || /\S[ \t]+$|["'(“‘«]$/.test(line);
}
