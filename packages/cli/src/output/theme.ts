import { styleText } from "node:util";
import type { Environment } from "@mdx-ai/models";

type Paint = (text: string) => string;

/** What the parts of code are coloured as. */
export type CodeToken =
  | "keyword"
  | "type"
  | "title"
  | "attribute"
  | "string"
  | "number"
  | "comment"
  | "added"
  | "removed";

/** The styles of this terminal. */
export interface Theme {
  readonly hasColour: boolean;
  /** Colours and Unicode line drawing in rendered Markdown. */
  readonly rich: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly accent: Paint;
  readonly warning: Paint;
  readonly failure: Paint;
  readonly success: Paint;
  /** The colours of code, of the 16 that every terminal has. */
  readonly code: Readonly<Record<CodeToken, Paint>>;
  readonly spinner: readonly string[];
  readonly bullet: string;
  readonly ellipsis: string;
  readonly separator: string;
  /** Before the number of removed lines. */
  readonly minus: string;
  /** Before each line of a foreign text that must not pass for another. */
  readonly frame: string;
  /** The same before the further rows of such a line. */
  readonly brokenFrame: string;
}

/** Without colour if `NO_COLOR` is set, and with ASCII ornaments only if the locale is not UTF-8. */
export function themeOf(environment: Environment): Theme {
  const colour = (environment["NO_COLOR"] ?? "") === "";
  const unicode = isUnicode(environment);
  const paint = (format: Parameters<typeof styleText>[0]): Paint =>
    colour ? (text) => styleText(format, text, { validateStream: false }) : (text) => text;
  return {
    hasColour: colour,
    rich: colour && unicode,
    bold: paint("bold"),
    dim: paint("dim"),
    accent: paint("cyan"),
    warning: paint("yellow"),
    failure: paint("red"),
    success: paint("green"),
    code: {
      keyword: paint("magenta"),
      type: paint("cyan"),
      title: paint("blue"),
      attribute: paint("cyan"),
      string: paint("green"),
      number: paint("yellow"),
      comment: paint("dim"),
      added: paint("green"),
      removed: paint("red"),
    },
    spinner: unicode ? [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"] : [..."|/-\\"],
    bullet: unicode ? "●" : "*",
    ellipsis: unicode ? "…" : "...",
    separator: unicode ? "·" : "-",
    minus: unicode ? "−" : "-",
    frame: unicode ? "│" : "|",
    brokenFrame: unicode ? "┆" : ":",
  };
}

/** The first of these that is set decides, as in POSIX; without one, UTF-8 is assumed. */
function isUnicode(environment: Environment): boolean {
  const locale = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]].find(
    (value) => value !== undefined && value !== "",
  );
  return locale === undefined || /utf-?8/i.test(locale);
}
