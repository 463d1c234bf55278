/** A text for people in one line: whatever white space it holds becomes single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** At most so many characters of a text. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Characters of a page that are shown. */
const mostShown = 120;

/**
 * What a gateway's web page says, as `a web page, "502 Bad Gateway"`: the beginning of its title, else of its words. Any
 * other text stays as it is. As this cuts, keys are to be blotted out before. Takes time as the text is long.
 */
export function pageWords(text: string): string {
  if (!/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) return text;
  const title = oneLine(/<title\b[^<>]*>([^<]*)/i.exec(text)?.[1] ?? "");
  const words = title === "" ? oneLine(withoutElements(text)) : title;
  if (words === "") return "a web page";
  return `a web page, "${words.length > mostShown ? `${words.slice(0, mostShown)}…` : words}"`;
}

const withoutElements = (page: string): string =>
  page.replace(/<(?:style|script)\b[^<>]*>[^<]*/gi, " ").replace(/<[^<>]*>?/g, " ");

/** A word shorter than this is no key, and is let stand. */
const shortestKey = 8;

/** Characters of a key that give it away, wherever in it they stand. */
const longestPiece = 16;

/**
 * A text in which all is blotted out that shows a key: the key, each longer piece of it, and both as servers quote them:
 * escaped as in a URL, in JSON or on a page, or in base64, alone or with something before it.
 */
export function blotOut(text: string, key: string): string {
  if (key.length < shortestKey) return text;
  const size = Math.min(longestPiece, key.length);
  const traces = new Set(formsOf(key).flatMap((form) => piecesOf(form, size)));
  let shown = "";
  let shownUpTo = 0;
  // Where two pieces overlap, the second makes the blot longer.
  let blottedUpTo = -1;
  for (const place of placesOf(text, traces, size)) {
    if (place > blottedUpTo) {
      shown += `${text.slice(shownUpTo, place)}[key]`;
    }
    blottedUpTo = place + size;
    shownUpTo = blottedUpTo;
  }
  return shown + text.slice(shownUpTo);
}

/** Hexadecimal digits and names of headers change their case on the way. */
function* placesOf(text: string, traces: ReadonlySet<string>, size: number): Iterable<number> {
  for (let place = 0; place + size <= text.length; place++) {
    if (traces.has(text.slice(place, place + size).toLowerCase())) yield place;
  }
}

function piecesOf(form: string, size: number): readonly string[] {
  const places = Array.from({ length: Math.max(0, form.length - size + 1) }, (_, place) => place);
  return places.map((place) => form.slice(place, place + size).toLowerCase());
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

/** The part of a base64 text that tells of the key alone, where so many bytes stand before it (modulo 3). */
function base64Inside(key: string, before: number): string {
  const text = Buffer.from(`${"\0".repeat(before)}${key}`)
    .toString("base64")
    .replace(/=+$/, "");
  return text.slice(before === 0 ? 0 : before + 1, -1);
}
