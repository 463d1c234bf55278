import { describe, expect, test } from "bun:test";
import { themeOf } from "./theme.ts";

const cases: readonly (readonly [environment: Readonly<Record<string, string>>, colour: boolean, unicode: boolean])[] =
  [
    [{}, true, true],
    [{ LANG: "en_US.UTF-8" }, true, true],
    [{ LANG: "de_DE.utf8" }, true, true],
    [{ LANG: "C" }, true, false],
    [{ LANG: "en_US.UTF-8", LC_ALL: "POSIX" }, true, false],
    [{ LANG: "C", LC_CTYPE: "C.UTF-8" }, true, true],
    [{ LANG: "", LC_ALL: "" }, true, true],
    [{ NO_COLOR: "1" }, false, true],
    [{ NO_COLOR: "" }, true, true],
    [{ NO_COLOR: "0", LANG: "de_DE.ISO-8859-1" }, false, false],
  ];

describe("the theme", () => {
  test.each(cases)("%j: colour %p, Unicode %p", (environment, colour, unicode) => {
    const theme = themeOf(environment);
    const ornaments = [
      ...theme.spinner,
      theme.bullet,
      theme.ellipsis,
      theme.separator,
      theme.frame,
      theme.brokenFrame,
    ].join("");
    expect(theme.failure("x") !== "x").toBe(colour);
    expect(/^[ -~]+$/.test(ornaments)).toBe(!unicode);
    expect(theme.rich).toBe(colour && unicode);
  });
});
