/** Replaces secrets in a stream of bytes by asterisks of the same length, so that the lengths that a protocol names stay true. */
export class KeyMask {
  readonly #forms: readonly string[];
  readonly #pattern: RegExp;
  /** The end of what was written so far, if a secret may begin there. */
  #kept = "";

  /** Takes the secrets in all forms in which they may occur. None is empty. */
  constructor(forms: readonly string[]) {
    // Each character is a byte. If one is a part of another, the longer one is replaced.
    this.#forms = [...new Set(forms.map((form) => Buffer.from(form).toString("latin1")))].toSorted(
      (one, other) => other.length - one.length,
    );
    this.#pattern = new RegExp(this.#forms.map(RegExp.escape).join("|"), "g");
  }

  /** The bytes that can be passed on now. */
  write(bytes: Buffer): Buffer {
    const masked = this.text(this.#kept + bytes.toString("latin1"));
    const end = masked.length - this.#beginning(masked);
    this.#kept = masked.slice(end);
    return Buffer.from(masked.slice(0, end), "latin1");
  }

  /** The remaining bytes, when no more follow. */
  end(): Buffer {
    const rest = Buffer.from(this.#kept, "latin1");
    this.#kept = "";
    return rest;
  }

  /** A whole text, one character a byte. */
  text(latin: string): string {
    return latin.replace(this.#pattern, (match) => "*".repeat(match.length));
  }

  /** How many characters at the end of a text may be the beginning of a secret. */
  #beginning(text: string): number {
    const lengths = this.#forms.map((form) => {
      let length = Math.min(form.length - 1, text.length);
      while (length > 0 && !form.startsWith(text.slice(-length))) length -= 1;
      return length;
    });
    return Math.max(0, ...lengths);
  }
}
