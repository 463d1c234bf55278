const SEGMENT = String.raw`\$'(?:[^'\\]|\\.)*'|'[^']*'|"[^"]*"`;
const SEGMENTS = new RegExp(SEGMENT, "g");
const AT_END = new RegExp(`(?:${SEGMENT})+$`);

/** A number of a byte, another character that is escaped, or characters as they are. */
const PIECE = /\\([0-7]{1,3})|\\(.)|([^\\]+)/g;

/** Escapes that stand for control characters. */
const CONTROLS = "abefnrtv";

/**
 * The word at the end of a text as programs quote it for a shell, such as `'../'$'\303\274'`; undefined if none is quoted. A control
 * character that is written as a letter becomes U+0000.
 */
export function quotedWordAtEnd(text: string): string | undefined {
  const [word] = AT_END.exec(text) ?? [];
  if (word === undefined) return undefined;
  const segments = [...word.matchAll(SEGMENTS)].map(([segment]) => bytesOf(segment));
  return Buffer.concat(segments).toString();
}

function bytesOf(segment: string): Buffer {
  if (!segment.startsWith("$")) return Buffer.from(segment.slice(1, -1));
  const pieces = [...segment.slice(2, -1).matchAll(PIECE)].map(([, octal, escaped, plain]) => {
    if (octal !== undefined) return Buffer.of(Number.parseInt(octal, 8));
    if (escaped !== undefined) return Buffer.from(CONTROLS.includes(escaped) ? "\0" : escaped);
    return Buffer.from(plain ?? "");
  });
  return Buffer.concat(pieces);
}
