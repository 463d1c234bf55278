/**
 * Finds the new part of a text that arrives as deltas or whole: some servers send `message` instead of `delta`, with the new piece or all
 * text so far; others repeat the whole text at the end.
 */
export class SaidText {
  #said = "";
  #hasDeltas = false;
  #form: "unknown" | "pieces" | "whole" = "unknown";
  /** Repetitions of the first piece, while it is unclear whether they are new pieces. */
  #repeated = "";

  /** The new part of a delta: all of it. */
  delta(text: string): string {
    this.#hasDeltas ||= text !== "";
    this.#said += text;
    return text;
  }

  /** The new part of a whole text, or of a piece if there were no deltas. */
  message(text: string): string {
    if (text === "") return "";
    if (this.#form === "unknown" && this.#said !== "" && text === this.#said) {
      this.#repeated += text;
      return "";
    }
    if (this.#hasDeltas || this.#form === "whole") return this.#rest(text);
    if (this.#said !== "" && this.#form === "unknown") {
      this.#form = text.startsWith(this.#said) ? "whole" : "pieces";
      if (this.#form === "whole") return this.#rest(text);
    }
    return this.#piece(text);
  }

  #rest(text: string): string {
    const rest = text.startsWith(this.#said) ? text.slice(this.#said.length) : "";
    this.#said += rest;
    return rest;
  }

  #piece(text: string): string {
    const piece = this.#repeated + text;
    this.#repeated = "";
    this.#said += piece;
    return piece;
  }
}
