import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { CodeToken, Theme } from "../../output/theme.ts";

const LANGUAGES = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, makefile, markdown },
  ...{ php, python, ruby, rust, shell, sql, swift, typescript, xml, yaml },
};

/** Names that the library does not know. */
const ALIASES = { mdx: "markdown", json5: "javascript", scss: "css", less: "css", env: "ini", cjs: "javascript" };

/** Colours the lines of code; a language that it does not know leaves them as they are. Never throws. */
export type Highlight = (code: string, language: string) => readonly string[];

/** Makes a highlighter of its own, with the languages that answers of models contain most. */
export function createHighlight(colours: Theme["code"]): Highlight {
  const highlighter = hljs.newInstance();
  for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
  for (const [alias, languageName] of Object.entries(ALIASES)) highlighter.registerAliases(alias, { languageName });
  return (code, language) => {
    if (language === "" || highlighter.getLanguage(language) === undefined) return code.split("\n");
    return paintedLines(highlighter.highlight(code, { language, ignoreIllegals: true }).value, colours);
  };
}

/** What the library's markup consists of: it writes no other tags and escapes. */
const MARKUP = /<span class="([^"]*)">|(<\/span>)|&(amp|lt|gt|quot|#x27);|([^<&]+)/g;

const ESCAPES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function paintedLines(markup: string, colours: Theme["code"]): readonly string[] {
  const lines = new PaintedLines(colours);
  for (const [, scope, closing, entity, text] of markup.matchAll(MARKUP)) {
    if (text !== undefined) lines.add(text);
    else if (entity !== undefined) lines.add(ESCAPES[entity] ?? "");
    else if (closing === undefined) lines.open(scope ?? "");
    else lines.close();
  }
  return lines.end();
}

/** Paints nested scopes; a colour ends with its line. */
class PaintedLines {
  readonly #colours: Theme["code"];
  readonly #tokens: (CodeToken | undefined)[] = [];
  readonly #lines: string[] = [];
  #line = "";
  /** The end of the line that is still to be painted. */
  #piece = "";

  constructor(colours: Theme["code"]) {
    this.#colours = colours;
  }

  add(text: string): void {
    const [first = "", ...others] = text.split("\n");
    this.#piece += first;
    for (const next of others) {
      this.#endLine();
      this.#piece = next;
    }
  }

  open(scope: string): void {
    this.#paint();
    this.#tokens.push(scope === SUBSTITUTION ? undefined : (tokenOf(scope) ?? this.#tokens.at(-1)));
  }

  close(): void {
    this.#paint();
    this.#tokens.pop();
  }

  end(): readonly string[] {
    this.#endLine();
    return this.#lines;
  }

  #endLine(): void {
    this.#paint();
    this.#lines.push(this.#line);
    this.#line = "";
  }

  #paint(): void {
    const token = this.#tokens.at(-1);
    this.#line += this.#piece === "" || token === undefined ? this.#piece : this.#colours[token](this.#piece);
    this.#piece = "";
  }
}

/** Code within a string. */
const SUBSTITUTION = "hljs-subst";

/** The library's scopes by their first names; parts of a token without a colour have that of the token. */
const TOKENS: Readonly<Record<string, CodeToken>> = {
  ...{ keyword: "keyword", built_in: "type", type: "type", class: "type", literal: "number", number: "number" },
  ...{ string: "string", regexp: "string", char: "string", symbol: "number", bullet: "keyword", code: "string" },
  ...{ comment: "comment", quote: "comment", doctag: "comment", meta: "comment", title: "title", section: "title" },
  ...{ name: "keyword", tag: "keyword", attr: "attribute", attribute: "attribute", property: "attribute" },
  ...{ variable: "attribute", link: "string", addition: "added", deletion: "removed" },
  ...{ "selector-tag": "keyword", "selector-class": "title", "selector-id": "title", "selector-pseudo": "keyword" },
};

const tokenOf = (scope: string): CodeToken | undefined => TOKENS[scope.split(" ", 1)[0]?.replace(/^hljs-/, "") ?? ""];
