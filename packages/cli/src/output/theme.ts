import { styleText } from "node:util";
import type { Environment } from "@mdx-ai/models";

type Paint = (text: string) => string;

/** How things look on this terminal. */
export interface Theme {
  /** Colours and Unicode line drawing in rendered Markdown. */
  readonly rich: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly accent: Paint;
  readonly warning: Paint;
  readonly failure: Paint;
  readonly success: Paint;
  readonly spinner: readonly string[];
  readonly bullet: string;
  readonly ellipsis: string;
  readonly separator: string;
  /** Before each line of a foreign text that must not pass for another. */
  readonly frame: string;
  /** The same before the further rows of such a line. */
  readonly brokenFrame: string;
}

/** Without colour where `NO_COLOR` is set, and with ASCII ornaments alone where the locale is not a UTF-8 one. */
export function themeOf(environment: Environment): Theme {
  const colour = (environment["NO_COLOR"] ?? "") === "";
  const unicode = isUnicode(environment);
  const paint = (format: Parameters<typeof styleText>[0]): Paint =>
    colour ? (text) => styleText(format, text, { validateStream: false }) : (text) => text;
  return {
    rich: colour && unicode,
    bold: paint("bold"),
    dim: paint("dim"),
    accent: paint("cyan"),
    warning: paint("yellow"),
    failure: paint("red"),
    success: paint("green"),
    spinner: unicode ? [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"] : [..."|/-\\"],
    bullet: unicode ? "●" : "*",
    ellipsis: unicode ? "…" : "...",
    separator: unicode ? "·" : "-",
    frame: unicode ? "│" : "|",
    brokenFrame: unicode ? "┆" : ":",
  };
}

/** By the first of these that is set, as POSIX has it; where none is, terminals of today speak UTF-8. */
function isUnicode(environment: Environment): boolean {
  const locale = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]].find(
    (value) => value !== undefined && value !== "",
  );
  return locale === undefined || /utf-?8/i.test(locale);
}
