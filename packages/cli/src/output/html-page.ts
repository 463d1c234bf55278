/** A page of HTML. */
export interface HtmlPage {
  /** Plain text. */
  readonly title: string;
  readonly style: string;
  /** HTML, in which every foreign text is `escaped`. */
  readonly body: string;
}

/** Nothing is loaded and nothing runs, even if something were not escaped. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A page in one file, without scripts, that loads nothing. */
export const htmlPage = ({ title, style, body }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;

/** A text as HTML, between tags or in a quoted attribute. */
export const escaped = (text: string): string => Bun.escapeHTML(text);

/** What HTML or a text editor would act upon or hide: control characters, what turns the reading order, what has no width. */
const HIDDEN =
  /(?![\n\t])\p{Cc}|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const DELETE = 0x7f;

/**
 * A foreign text in which everything can be seen that is there: control characters but newline and tab as pictures ("␛"),
 * what reorders or hides text by its code ("⟨U+202E⟩"). The result is well-formed.
 */
export const visibleText = (text: string): string =>
  text.toWellFormed().replaceAll("\r\n", "\n").replace(HIDDEN, pictureOf);

/** The same on one line: every run of white space becomes a blank. */
export const visibleLine = (text: string): string => visibleText(text).replace(/\s+/g, " ").trim();

function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === DELETE) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
