/** A glob cannot be read. */
class GlobError extends Error {
  override readonly name = "GlobError";
}

const PREFIX = "(?:[\\s\\S]*/)?";
const SUFFIX = "/[\\s\\S]*";
const BETWEEN = "/(?:[\\s\\S]*/)?";
const STAR = "[^/]*";

/**
 * The pattern for a glob in a file of rules, as ripgrep reads it; for texts with one character for each byte, as the glob is. Throws an
 * error for a glob that is not valid.
 */
export function ignorePattern(glob: string): string {
  return `^${new GlobReader(glob).read()}$`;
}

class GlobReader {
  readonly #glob: string;
  /** What has been read of the glob and of the braces that are open, in alternatives. */
  readonly #open: string[][][] = [[[]]];
  #next = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  read(): string {
    if (this.#glob === "**") return "[\\s\\S]*";
    while (this.#next < this.#glob.length) this.#character(this.#glob[this.#next++] ?? "");
    const [alternatives = [], ...unclosed] = this.#open;
    if (unclosed.length > 0) throw new GlobError("missing }");
    return (alternatives[0] ?? []).join("");
  }

  #character(character: string): void {
    if (character === "?") this.#add("[^/]");
    else if (character === "*") this.#stars();
    else if (character === "[") this.#add(this.#set());
    else if (character === "{") this.#open.push([[]]);
    else if (character === "}") this.#close();
    else if (character === "," && this.#isInBraces) this.#open.at(-1)?.push([]);
    else if (character === "\\") this.#escape();
    else this.#add(literal(character));
  }

  get #isInBraces(): boolean {
    return this.#open.length > 1;
  }

  get #parts(): string[] {
    return this.#open.at(-1)?.at(-1) ?? [];
  }

  #add(part: string): void {
    this.#parts.push(part);
  }

  #close(): void {
    if (!this.#isInBraces) throw new GlobError("missing {");
    const alternatives = (this.#open.pop() ?? []).map((parts) => parts.join("")).filter((text) => text !== "");
    if (alternatives.length > 0) this.#add(`(?:${alternatives.join("|")})`);
  }

  #escape(): void {
    const character = this.#glob[this.#next++];
    if (character === undefined) throw new GlobError("\\ at its end");
    this.#add(literal(character));
  }

  /** Two stars between slashes are any folders; others are like one. */
  #stars(): void {
    const before = this.#glob[this.#next - 2];
    const isDouble = this.#glob[this.#next] === "*";
    if (isDouble) this.#next += 1;
    const after = this.#glob[this.#next];
    if (!isDouble) this.#add(STAR);
    else if (this.#parts.length === 0) this.#firstStars(after);
    else this.#laterStars(before, after);
  }

  #firstStars(after: string | undefined): void {
    const isWhole = after === undefined || after === "/";
    if (isWhole) this.#next += 1;
    this.#add(isWhole ? PREFIX : STAR);
  }

  #laterStars(before: string | undefined, after: string | undefined): void {
    const isEnd = after === undefined || (this.#isInBraces && (after === "," || after === "}"));
    if (before !== "/" || !(isEnd || after === "/")) {
      this.#add(STAR);
      return;
    }
    if (!isEnd) this.#next += 1;
    const former = this.#parts.pop();
    this.#add(former === PREFIX || former === SUFFIX ? former : isEnd ? SUFFIX : BETWEEN);
  }

  /** Inside brackets a backslash means itself, and a negation matches slashes, too. */
  #set(): string {
    const end = this.#glob.indexOf("]", this.#next + (/^[!^]?\]/.exec(this.#glob.slice(this.#next))?.[0].length ?? 0));
    if (end === -1) throw new GlobError("missing ]");
    const body = this.#glob.slice(this.#next, end);
    this.#next = end + 1;
    const isNegated = body.startsWith("!") || body.startsWith("^");
    return `[${isNegated ? "^" : ""}${ranges(isNegated ? body.slice(1) : body)}]`;
  }
}

function ranges(body: string): string {
  let written = "";
  for (let next = 0; next < body.length; next += 1) {
    const first = body[next] ?? "";
    const last = body[next + 1] === "-" ? body[next + 2] : undefined;
    written += literal(first);
    if (last === undefined) continue;
    if (last < first) throw new GlobError(`the range ${first}-${last} is reversed`);
    written += `-${literal(last)}`;
    next += 2;
  }
  return written;
}

const literal = (character: string): string =>
  /[A-Za-z0-9/]/.test(character) ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
