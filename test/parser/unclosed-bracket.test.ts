import { expect, test } from "bun:test";
import { unclosedBracket } from "@mdx-ai/parser";

test.each([
  ["function f() {\n  if (a) {\n    b();\n}\n", "{\n    b"],
  ["function f() {\n  for (const x of y) {\n    z(x);\n  }\n", "{\n  for"],
  ["function a() {\n  x();\n\nfunction b() {\n  y();\n}\n", "{\n  x"],
  ["f(1, [2, 3;\n", "[2"],
  ["f(`a ${b ? `${c}` : { d: '}' }} {`, /[{]/, \"{\"); // {\n/* { */ const x = {\n", "{\n"],
  ["const a = `x ${y", "${y"],
  ["const r = a / b; { c / d", "{ c"],
])("the bracket that is not closed is found: %j", (code, at) => {
  expect(code.slice(unclosedBracket(code)?.offset).startsWith(at)).toBe(true);
});

test.each(["", "f({ a: [1] });", "`${`${1}`}`", "a}", "f(]", "'{' + \"(\" + /[(]/.source"])(
  "none is found where all are closed, or one is wrong: %j",
  (code) => {
    expect(unclosedBracket(code)).toBeUndefined();
  },
);
