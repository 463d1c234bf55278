import { styleText } from "node:util";
import type { Environment } from "@mdx-ai/base";

type Paint = (text: string) => string;

/** The kinds of code token that have a colour. */
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

/** `dark` and `light` are for that background; `ansi` uses the terminal's 16 colours. */
export type ThemeName = "dark" | "light" | "ansi";

export const THEME_NAMES: readonly ThemeName[] = ["dark", "light", "ansi"];

/** The styles of this terminal. */
export interface Theme {
  /** The current colours. */
  readonly name: ThemeName;
  /** Switches to these colours, unless `NO_COLOR` is set. */
  choose(name: ThemeName): void;
  /** Whether anything is coloured. */
  readonly hasColour: boolean;
  /** Whether rendered Markdown uses colours and Unicode line drawing. */
  readonly rich: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly accent: Paint;
  readonly warning: Paint;
  readonly failure: Paint;
  readonly success: Paint;
  /** The colours of code. */
  readonly code: Readonly<Record<CodeToken, Paint>>;
  readonly spinner: readonly string[];
  readonly bullet: string;
  readonly ellipsis: string;
  readonly separator: string;
  /** The sign before the number of removed lines. */
  readonly minus: string;
  readonly dash: string;
  /** The signs before tokens sent and received. */
  readonly sent: string;
  readonly received: string;
  /** The prefix of each line of untrusted text that must not look like the program's. */
  readonly frame: string;
  /** The prefix of continuation rows of such a line. */
  readonly brokenFrame: string;
}

type Role = "accent" | "warning" | "failure" | "success" | "dim";

/** From the 256 colours: readable on black and on white. */
const COLOURS: Readonly<Record<"dark" | "light", Readonly<Record<Role, number>>>> = {
  dark: { accent: 81, warning: 221, failure: 210, success: 114, dim: 245 },
  light: { accent: 25, warning: 130, failure: 124, success: 28, dim: 242 },
};

/** As `COLOURS`, for code. */
const CODE: Readonly<Record<"dark" | "light", Readonly<Record<Exclude<CodeToken, "comment">, number>>>> = {
  dark: { keyword: 176, type: 80, title: 75, attribute: 117, string: 114, number: 215, added: 114, removed: 210 },
  light: { keyword: 90, type: 30, title: 25, attribute: 24, string: 28, number: 130, added: 28, removed: 124 },
};

const ANSI_CODE = {
  ...({ keyword: "magenta", type: "cyan", title: "blue", attribute: "cyan", string: "green" } as const),
  ...({ number: "yellow", comment: "dim", added: "green", removed: "red" } as const),
};

const ANSI = { accent: "cyan", warning: "yellow", failure: "red", success: "green", dim: "dim" } as const;

/** The theme for an environment: no colour if `NO_COLOR` is set, ASCII symbols if the locale is not UTF-8. */
export function themeOf(environment: Environment, chosen: ThemeName = "ansi"): Theme {
  const colour = (environment["NO_COLOR"] ?? "") === "";
  const unicode = isUnicode(environment);
  let name = chosen;
  const paint = (role: Role): Paint =>
    colour ? (text) => (name === "ansi" ? styled(ANSI[role], text) : tinted(COLOURS[name][role], text)) : plain;
  return {
    hasColour: colour,
    get name() {
      return name;
    },
    choose: (next) => {
      name = next;
    },
    rich: colour && unicode,
    bold: colour ? (text) => styled("bold", text) : plain,
    dim: paint("dim"),
    accent: paint("accent"),
    warning: paint("warning"),
    failure: paint("failure"),
    success: paint("success"),
    code: codePaints(colour, () => name),
    spinner: unicode ? [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"] : [..."|/-\\"],
    bullet: unicode ? "●" : "*",
    ellipsis: unicode ? "…" : "...",
    separator: unicode ? "·" : "-",
    minus: unicode ? "−" : "-",
    dash: unicode ? "–" : "-",
    sent: unicode ? "↑" : "in ",
    received: unicode ? "↓" : "out ",
    frame: unicode ? "│" : "|",
    brokenFrame: unicode ? "┆" : ":",
  };
}

/** Paints code in the current theme's colours. */
function codePaints(colour: boolean, name: () => ThemeName): Theme["code"] {
  const paint = (token: CodeToken): Paint => {
    if (!colour) return plain;
    return (text) => {
      const theme = name();
      if (theme === "ansi") return styled(ANSI_CODE[token], text);
      return tinted(token === "comment" ? COLOURS[theme].dim : CODE[theme][token], text);
    };
  };
  return {
    keyword: paint("keyword"),
    type: paint("type"),
    title: paint("title"),
    attribute: paint("attribute"),
    string: paint("string"),
    number: paint("number"),
    comment: paint("comment"),
    added: paint("added"),
    removed: paint("removed"),
  };
}

const styled = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text, { validateStream: false });

const plain: Paint = (text) => text;

const tinted = (colour: number, text: string): string => `\u001b[38;5;${colour}m${text}\u001b[39m`;

/** The first variable that is set decides, as in POSIX. Default: UTF-8. */
function isUnicode(environment: Environment): boolean {
  const locale = [environment["LC_ALL"], environment["LC_CTYPE"], environment["LANG"]].find(
    (value) => value !== undefined && value !== "",
  );
  return locale === undefined || /utf-?8/i.test(locale);
}
