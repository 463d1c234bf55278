import { pageBundle } from "./page-bundle.ts";
import { TRACE_SCRIPT, TRACE_STYLE } from "./trace/trace-page.ts";

/** The web page: one document that loads nothing but the API of its server. */
export interface WebPage {
  readonly html: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/** Makes the page. Rejects with the bundler's error if it is made from sources. */
export async function webPage(): Promise<WebPage> {
  const { script, style } = await pageBundle();
  // Nothing in a script may end its element.
  const code = script.replaceAll("</script", "<\\/script");
  return { html: document({ code, style }), policy: policyOf(code, style) };
}

const document = ({ code, style }: { readonly code: string; readonly style: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>mdx-ai</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page is a program: allow its script, or use mdx-ai in a terminal.</noscript>
<script>${code}</script>
</body>
</html>
`;

const policyOf = (code: string, style: string): string =>
  [
    "default-src 'none'",
    // The page of a trace is shown in a frame that may do what this page may.
    `script-src ${hashesOf(code, TRACE_SCRIPT)}`,
    `style-src ${hashesOf(style, TRACE_STYLE)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const hashesOf = (...texts: readonly string[]): string =>
  texts.map((text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`).join(" ");
