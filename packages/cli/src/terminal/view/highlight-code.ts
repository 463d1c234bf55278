import type { CodeToken, Theme } from "../../output/theme.ts";
import { type CodeScope, scopesOf } from "./code-languages.js";

/** The coloured lines of code; each colour ends with its line. Unknown languages stay unchanged. Never throws. */
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

/** The texts of a tree in order. Iterative, because code may be nested very deeply. */
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

/** Token kinds by the first part of the library's scopes. Parts without a colour inherit their parent's. */
const TOKENS: Readonly<Record<string, CodeToken>> = {
  ...{ keyword: "keyword", built_in: "type", type: "type", class: "type", literal: "number", number: "number" },
  ...{ string: "string", regexp: "string", char: "string", symbol: "number", bullet: "keyword", code: "string" },
  ...{ comment: "comment", quote: "comment", doctag: "comment", meta: "comment", title: "title", section: "title" },
  ...{ name: "keyword", tag: "keyword", attr: "attribute", attribute: "attribute", property: "attribute" },
  ...{ variable: "attribute", link: "string", addition: "added", deletion: "removed" },
  ...{ "selector-tag": "keyword", "selector-class": "title", "selector-id": "title", "selector-pseudo": "keyword" },
};

const tokenOf = (scope = ""): CodeToken | undefined => TOKENS[scope.split(".", 1)[0] ?? ""];
