/**
 * Finds the new part of a text that comes as deltas, or whole: some servers send `message` in place of `delta`, with the
 * new piece or with all so far, and others repeat the whole at the end.
 */
export class SaidText {
  #said = "";
  #hasDeltas = false;
  #form: "unknown" | "pieces" | "whole" = "unknown";
  /** Repetitions of the first piece, as long as it is not known whether they are pieces themselves. */
  #repeated = "";

  /** The new part of a delta: all of it. */
  delta(text: string): string {
    this.#hasDeltas ||= text !== "";
    this.#said += text;
    return text;
  }

  /** The new part of a text that is whole, or a piece if no delta came. */
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
