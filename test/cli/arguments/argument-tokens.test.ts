import { expect, test } from "bun:test";
import { parseArgs } from "node:util";
import { argumentTokens } from "../../support/cli/arguments.ts";

const KNOWN = [
  { name: "prompt", short: "p", value: "TEXT" },
  { name: "trust", short: "t" },
];

/** The same by `node:util`. */
function expected(args: readonly string[]): readonly object[] {
  const { tokens } = parseArgs({
    args: [...args],
    options: { prompt: { type: "string", short: "p" }, trust: { type: "boolean", short: "t" } },
    tokens: true,
    strict: false,
  });
  const end = tokens.findIndex(({ kind }) => kind === "option-terminator");
  const rest = end === -1 ? [] : [{ kind: "rest", values: args.slice((tokens[end]?.index ?? 0) + 1) }];
  const written = (end === -1 ? tokens : tokens.slice(0, end)).flatMap((token): object[] => {
    if (token.kind === "option-terminator") return [];
    if (token.kind === "positional") return [{ kind: "positional", value: token.value }];
    const { name, rawName, value, inlineValue } = token;
    const given = value === undefined ? {} : { value };
    return [{ kind: "option", name, rawName, ...given, isInline: inlineValue ?? false }];
  });
  return [...written, ...rest];
}

test.each([
  [["dir", "--trust", "--prompt", "hello", "more"]],
  [["--prompt=a=b", "--prompt=", "--trust=yes", "--unknown=1", "--unknown", "x"]],
  [["--prompt", "--trust"]],
  [["--prompt", "--", "--trust"]],
  [["dir", "--", "--trust", "--", "-h"]],
  [["-h", "-", "-xy", "", "-1"]],
  [["--=x", "--prompt"]],
  [["-p", "text", "-ptext", "-tp", "x", "-tpx", "-pt", "-t=x", "-p"]],
])("%j is split as parseArgs does", (args) => {
  const tokens: unknown = JSON.parse(JSON.stringify(argumentTokens(args, KNOWN)));
  expect(tokens).toStrictEqual(expected(args));
});
