import { styleText } from "node:util";
import type { Environment } from "@mdx-ai/models";

type Paint = (text: string) => string;

/** `dark` and `light` suit a background; `ansi` uses the terminal's own 16 colours. */
export type ThemeName = "dark" | "light" | "ansi";

export const THEME_NAMES: readonly ThemeName[] = ["dark", "light", "ansi"];

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
  /** The colours that are in use. */
  readonly name: ThemeName;
  /** From now on all texts are painted with these colours, unless `NO_COLOR` is set. */
  choose(name: ThemeName): void;
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
  readonly dash: string;
  /** Before numbers of tokens that were sent and received. */
  readonly sent: string;
  readonly received: string;
  /** Before the number of removed lines. */
  readonly minus: string;
  /** Before each line of a foreign text that must not pass for another. */
  readonly frame: string;
  /** The same before the further rows of such a line. */
  readonly brokenFrame: string;
}

type Role = "accent" | "warning" | "failure" | "success" | "dim";

/** Of the 256 colours: readable on black, and on white. */
const COLOURS: Readonly<Record<"dark" | "light", Readonly<Record<Role, number>>>> = {
  dark: { accent: 81, warning: 221, failure: 210, success: 114, dim: 245 },
  light: { accent: 25, warning: 130, failure: 124, success: 28, dim: 242 },
};

/** The same for code. */
const CODE: Readonly<Record<"dark" | "light", Readonly<Record<Exclude<CodeToken, "comment">, number>>>> = {
  dark: { keyword: 176, type: 80, title: 75, attribute: 117, string: 114, number: 215, added: 114, removed: 210 },
  light: { keyword: 90, type: 30, title: 25, attribute: 24, string: 28, number: 130, added: 28, removed: 124 },
};

const ANSI_CODE = {
  ...{ keyword: "magenta", type: "cyan", title: "blue", attribute: "cyan", string: "green", number: "yellow" },
  ...{ comment: "dim", added: "green", removed: "red" },
} as const;

const ANSI = { accent: "cyan", warning: "yellow", failure: "red", success: "green", dim: "dim" } as const;

/** Without colour if `NO_COLOR` is set, and with ASCII ornaments only if the locale is not UTF-8. */
export function themeOf(environment: Environment, chosen: ThemeName = "ansi"): Theme {
  const colour = (environment["NO_COLOR"] ?? "") === "";
  const unicode = isUnicode(environment);
  let name = chosen;
  const styled = (format: Parameters<typeof styleText>[0], text: string): string =>
    styleText(format, text, { validateStream: false });
  const paint = (role: Role): Paint =>
    colour ? (text) => (name === "ansi" ? styled(ANSI[role], text) : tinted(COLOURS[name][role], text)) : plain;
  /** One of the terminal's own colours, whatever the theme. */
  const ansi = (format: Parameters<typeof styleText>[0]): Paint => (colour ? (text) => styled(format, text) : plain);
  return {
    get name() {
      return name;
    },
    choose: (next) => {
      name = next;
    },
    hasColour: colour,
    rich: colour && unicode,
    bold: ansi("bold"),
    dim: paint("dim"),
    accent: paint("accent"),
    warning: paint("warning"),
    failure: paint("failure"),
    success: paint("success"),
    code: {
      keyword: ansi("magenta"),
      type: ansi("cyan"),
      title: ansi("blue"),
      attribute: ansi("cyan"),
      string: ansi("green"),
      number: ansi("yellow"),
      comment: paint("dim"),
      added: ansi("green"),
      removed: ansi("red"),
    },
    spinner: unicode ? [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"] : [..."|/-\\"],
    bullet: unicode ? "●" : "*",
    ellipsis: unicode ? "…" : "...",
    separator: unicode ? "·" : "-",
    dash: unicode ? "–" : "-",
    sent: unicode ? "↑" : "in ",
    received: unicode ? "↓" : "out ",
    minus: unicode ? "−" : "-",
    frame: unicode ? "│" : "|",
    brokenFrame: unicode ? "┆" : ":",
  };
}

const plain: Paint = (text) => text;

const tinted = (colour: number, text: string): string => `\u001b[38;5;${colour}m${text}\u001b[39m`;

/** The first of these that is set decides, as in POSIX; without one, UTF-8 is assumed. */
function isUnicode(environment: Environment): boolean {
  const locale = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]].find(
    (value) => value !== undefined && value !== "",
  );
  return locale === undefined || /utf-?8/i.test(locale);
}
