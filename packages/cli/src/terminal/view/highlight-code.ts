import type { CodeToken, Theme } from "../../output/theme.ts";
import { type CodeScope, scopesOf } from "./code-languages.js";

/** The lines of code in colours, each of which ends with its line; those of a language that is not known stay as they are. Never throws. */
export function highlightedLines(code: string, language: string, colours: Theme["code"]): readonly string[] {
  const root = scopesOf(code, language);
  if (root === undefined) return code.split("\n");
  const lines = [""];
  for (const { text, token } of tokensOf(root)) {
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push("");
      lines[lines.length - 1] += piece === "" || token === undefined ? piece : colours[token](piece);
    }
  }
  return lines;
}

interface Token {
  readonly text: string;
  readonly token: CodeToken | undefined;
}

/** The texts of a tree in their order. Without recursion: code may be nested as deep as it is long. */
function* tokensOf(root: CodeScope): Generator<Token> {
  const rest: { readonly node: CodeScope | string; readonly token: CodeToken | undefined }[] = [];
  rest.push({ node: root, token: undefined });
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { node, token } = next;
    if (typeof node === "string") yield { text: node, token };
    else {
      const inner = node.scope === SUBSTITUTION ? undefined : (tokenOf(node.scope) ?? token);
      rest.push(...node.children.map((child) => ({ node: child, token: inner })).reverse());
    }
  }
}

/** Code within a string. */
const SUBSTITUTION = "subst";

/** The library's scopes by their first names; parts of a token without a colour have that of the token. */
const TOKENS: Readonly<Record<string, CodeToken>> = {
  ...{ keyword: "keyword", built_in: "type", type: "type", class: "type", literal: "number", number: "number" },
  ...{ string: "string", regexp: "string", char: "string", symbol: "number", bullet: "keyword", code: "string" },
  ...{ comment: "comment", quote: "comment", doctag: "comment", meta: "comment", title: "title", section: "title" },
  ...{ name: "keyword", tag: "keyword", attr: "attribute", attribute: "attribute", property: "attribute" },
  ...{ variable: "attribute", link: "string", addition: "added", deletion: "removed" },
  ...{ "selector-tag": "keyword", "selector-class": "title", "selector-id": "title", "selector-pseudo": "keyword" },
};

const tokenOf = (scope = ""): CodeToken | undefined => TOKENS[scope.split(".", 1)[0] ?? ""];
