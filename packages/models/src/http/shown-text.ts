/** A text for people in one line: whatever white space it holds becomes single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** An address without what may be secret in it: its user and its query. */
export function shownAddress(url: string): string {
  const { origin, pathname } = URL.parse(url) ?? {};
  return origin === undefined ? "an unknown address" : `${origin}${pathname}`;
}

/** At most so many characters of a text. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Characters of a page that are shown. */
const mostShown = 120;

/**
 * What a gateway's web page says, as `a web page, "502 Bad Gateway"`: the beginning of its title, else of its text. Any
 * other text stays as it is. Redact keys first, since this cuts. Linear in the length.
 */
export function pageWords(text: string): string {
  if (!/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) return text;
  const title = oneLine(/<title\b[^<>]*>([^<]*)/i.exec(text)?.[1] ?? "");
  const words = title === "" ? oneLine(withoutElements(text)) : title;
  if (words === "") return "a web page";
  return `a web page, "${cut(words, mostShown)}"`;
}

const withoutElements = (page: string): string =>
  page.replace(/<(?:style|script)\b[^<>]*>[^<]*/gi, " ").replace(/<[^<>]*>?/g, " ");

/** A shorter text is not a key and is kept. */
const shortestKey = 8;

/** A piece of a key of this length reveals it. */
const longestPiece = 16;

/**
 * A text without anything that shows a key: the key, each longer piece of it, and both as servers quote them:
 * escaped as in a URL, in JSON or on a page, or in base64, alone or with something before it.
 */
export function redactKey(text: string, key: string): string {
  if (key.length < shortestKey) return text;
  const size = Math.min(longestPiece, key.length);
  const traces = new Set(formsOf(key).flatMap((form) => piecesOf(form, size)));
  let shown = "";
  let shownUpTo = 0;
  // If two pieces overlap, one mark hides both.
  let hiddenUpTo = -1;
  for (const start of startsOf(text, traces, size)) {
    if (start > hiddenUpTo) {
      shown += `${text.slice(shownUpTo, start)}[key]`;
    }
    hiddenUpTo = start + size;
    shownUpTo = hiddenUpTo;
  }
  return shown + text.slice(shownUpTo);
}

/** Hexadecimal digits and names of headers change their case on the way. */
function* startsOf(text: string, traces: ReadonlySet<string>, size: number): Iterable<number> {
  for (let start = 0; start + size <= text.length; start++) {
    if (traces.has(text.slice(start, start + size).toLowerCase())) yield start;
  }
}

function piecesOf(form: string, size: number): readonly string[] {
  const starts = Array.from({ length: Math.max(0, form.length - size + 1) }, (_, start) => start);
  return starts.map((start) => form.slice(start, start + size).toLowerCase());
}

function formsOf(key: string): readonly string[] {
  const encoded = [0, 1, 2].map((before) => base64Inside(key, before));
  return [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    Bun.escapeHTML(key),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The part of a base64 text that depends on the key alone, after so many other bytes (modulo 3). */
function base64Inside(key: string, before: number): string {
  const text = Buffer.from(`${"\0".repeat(before)}${key}`)
    .toString("base64")
    .replace(/=+$/, "");
  return text.slice(before === 0 ? 0 : before + 1, -1);
}
