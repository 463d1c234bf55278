import { fileURLToPath } from "node:url";

/** A file mentioned with `@`, with its lines if given. */
export interface Mention {
  /** As written. */
  readonly path: string;
  /** From 1. */
  readonly first?: number;
  readonly last?: number;
}

/** `@"a b.ts":10-40`, `@a.ts:10-40`: only at the start of a word, so that `me@example.com` does not match. */
const MENTION = /(?<=^|[\s([{"'])@(?:"(?<quoted>[^"\n]+)"(?<lines>:\d+(?:-\d+)?)?|(?<bare>[^\s"]+))/g;

/** Words with `@` that are read: pasted code may contain very many. */
const MAX_COUNT = 500;

const LINES = /^(?<path>.+?):(?<first>\d+)(?:-(?<last>\d+))?$/;

/** Characters that may follow a path at the end of a sentence. */
const PUNCTUATION = /[.,;:!?)\]}'"]+$/;

/** The mentions of existing files in a text, each once, in order. `isFile` tells whether a path is a file. */
export function mentionsIn(text: string, isFile: (path: string) => boolean): readonly Mention[] {
  return unique(wordsIn(text).flatMap((readings) => readings.find(({ path }) => isFile(path)) ?? []));
}

/** The paths of other words with `@` in a text, each once, in order: nothing is attached for them. */
export function otherMentionsIn(text: string, isFile: (path: string) => boolean): readonly string[] {
  const others = wordsIn(text).filter((readings) => !readings.some(({ path }) => isFile(path)));
  return unique(others.flatMap((readings) => readings.at(-1)?.path ?? []));
}

/** The possible meanings of each word with `@`. */
const wordsIn = (text: string): readonly (readonly Mention[])[] =>
  [...text.matchAll(MENTION).take(MAX_COUNT)].map(({ groups = {} }) => {
    const { quoted, lines = "", bare = "" } = groups;
    return quoted === undefined ? readingsOf(bare) : [withLines(quoted, lines)];
  });

const unique = <Value>(found: readonly Value[]): readonly Value[] =>
  found.filter((value, at) => found.findIndex((other) => Bun.deepEquals(other, value)) === at);

/** The possible meanings of a word, the most likely first: a name may contain a colon, and a sentence may end after it. */
function readingsOf(word: string): readonly Mention[] {
  const shorter = word.replace(PUNCTUATION, "");
  const words = shorter === word || shorter === "" ? [word] : [word, shorter];
  return words.flatMap((one) => {
    const { path, first, last } = LINES.exec(one)?.groups ?? {};
    return path === undefined
      ? [{ path: one }]
      : [{ path: one }, withLines(path, `:${first}${last === undefined ? "" : `-${last}`}`)];
  });
}

function withLines(path: string, lines: string): Mention {
  const [first, last] = lines
    .slice(1)
    .split("-")
    .map((number) => Math.max(1, Number(number)));
  if (lines === "" || first === undefined) return { path };
  return { path, first, last: Math.max(first, last ?? first) };
}

/** A path as written after `@`. */
export const mentionOf = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`);

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/**
 * The path of an image that was dropped or pasted: absolute or starting with `~`; quoted, with escaped spaces, or a `file:` URL. Undefined
 * for any other text.
 */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text === "" || text.includes("\n")) return undefined;
  const path = plainPath(text);
  return path !== undefined && /^(?:\/|~\/)/.test(path) && IMAGE.test(path) ? path : undefined;
}

function plainPath(text: string): string | undefined {
  const quoted = /^'([^']+)'$|^"([^"]+)"$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (text.startsWith("file://")) return pathOfAddress(text);
  // An unescaped space may separate two paths or be part of a sentence.
  return text.replace(/\\(.)/g, "$1");
}

function pathOfAddress(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    // On another machine, or an invalid URL.
    return undefined;
  }
}
