import { oneLine } from "../one-line.ts";

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
