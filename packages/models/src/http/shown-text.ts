import { oneLine, shortened } from "@mdx-ai/base";

/** An address without user and query, which may be secret. */
export function shownAddress(url: string): string {
  const { origin, pathname } = URL.parse(url) ?? {};
  return origin === undefined ? "an unknown address" : `${origin}${pathname}`;
}

/** Characters of a page that are shown. */
const mostShown = 120;

/**
 * The content of a gateway's web page, as `a web page, "502 Bad Gateway"`: the start of its title, else of its text. Other text is
 * unchanged. Redact keys first, since this cuts. Linear time.
 */
export function pageWords(text: string): string {
  if (!/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) return text;
  const title = oneLine(/<title\b[^<>]*>([^<]*)/i.exec(text)?.[1] ?? "");
  const words = title === "" ? oneLine(withoutElements(text)) : title;
  if (words === "") return "a web page";
  return `a web page, "${shortened(words, mostShown)}"`;
}

const withoutElements = (page: string): string =>
  page.replace(/<(?:style|script)\b[^<>]*>[^<]*/gi, " ").replace(/<[^<>]*>?/g, " ");
