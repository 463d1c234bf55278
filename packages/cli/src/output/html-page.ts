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
