import { expect, test } from "bun:test";
import { parseArgs } from "node:util";
import { argumentTokens } from "../../../packages/cli/src/arguments/argument-tokens.ts";

/** The same by `node:util`. */
function expected(args: readonly string[]): readonly object[] {
  const { tokens } = parseArgs({
    args: [...args],
    options: { prompt: { type: "string" }, trust: { type: "boolean" } },
    tokens: true,
    strict: false,
  });
  return tokens.flatMap((token): object[] => {
    if (token.kind === "option-terminator") return [];
    if (token.kind === "positional") return [{ kind: "positional", value: token.value }];
    const { name, rawName, value, inlineValue } = token;
    const given = value === undefined ? {} : { value };
    return [{ kind: "option", name, rawName, ...given, isInline: inlineValue ?? false }];
  });
}

test.each([
  [["dir", "--trust", "--prompt", "hello", "more"]],
  [["--prompt=a=b", "--prompt=", "--trust=yes", "--unknown=1", "--unknown", "x"]],
  [["--prompt", "--trust"]],
  [["--prompt", "--", "--trust"]],
  [["dir", "--", "--trust", "--", "-h"]],
  [["-h", "-", "-xy", "", "-1"]],
  [["--=x", "--prompt"]],
])("%j is split as parseArgs does", (args) => {
  const tokens: unknown = JSON.parse(JSON.stringify(argumentTokens(args, (name) => name === "prompt")));
  expect(tokens).toStrictEqual(expected(args));
});
