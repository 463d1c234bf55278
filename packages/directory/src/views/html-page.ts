/** An HTML page. */
export interface HtmlPage {
  /** Plain text. */
  readonly title: string;
  readonly style: string;
  /** HTML in which all untrusted text is `escaped`. */
  readonly body: string;
  /** JavaScript of this program that runs at the end of the body; contains no `</script`. */
  readonly script?: string;
}

/** Nothing is loaded, and only the page's script can run, even if some text were not escaped. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A self-contained page that loads nothing. */
export const htmlPage = ({ title, style, body, script }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}${script === undefined ? "" : `; script-src ${hashOf(script)}`}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`;

const hashOf = (script: string): string => `'sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}'`;

/** Escapes a text for HTML, between tags or in a quoted attribute. */
export const escaped = (text: string): string => Bun.escapeHTML(text);
