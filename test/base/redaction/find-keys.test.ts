import { describe, expect, test } from "bun:test";
import { findKeys } from "@mdx-ai/base";

/** Letters and digits without meaning, never a key of anyone. */
const letters = (length: number): string => "q7Rt2Vx9Lm4Kp8Zc3Nw6".repeat(10).slice(0, length);

describe("a key in a text", () => {
  test.each([
    ["of a service", `a("${`gh${"p_"}${letters(36)}`}")`, "GitHub key", 3],
    ["in a header", `{ authorization: "Bearer ${letters(24)}" }`, "authorization key", 25],
    ["in a URL", `connect("postgres://me:${letters(9)}@db.example/x")`, "password", 23],
    ["assigned to a name", `const API_KEY = '${letters(20)}';`, "key", 17],
    ["as a member", `{ "clientSecret": "${letters(32)}" }`, "key", 19],
  ])("is found: %s", (_name, text, kind, index) => {
    expect(findKeys(text)).toMatchObject([{ kind, index }]);
  });

  test.each([
    ["a placeholder", `const API_KEY = "your-${letters(20)}";`],
    ["xs", `token: "${"x".repeat(40)}"`],
    ["a variable in a template", "Authorization: Bearer ${WEATHER_KEY_1}"],
    ["an id", `const id = "${letters(32)}";`],
    ["the name of a cache", 'const key = "weather_report_v2_daily";'],
    ["a variable that is read", 'const key = process.env["API_KEY_12345678"];'],
  ])("is not found: %s", (_name, text) => {
    expect(findKeys(text)).toEqual([]);
  });
});
