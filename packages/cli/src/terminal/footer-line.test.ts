import { describe, expect, test } from "bun:test";
import { themeOf } from "../output/theme.ts";
import { type FooterFacts, footerLine } from "./footer.ts";

const unicode = themeOf({ NO_COLOR: "1", LC_ALL: "C.UTF-8" });

const FACTS: FooterFacts = {
  vendor: "anthropic",
  model: "claude-sonnet-4-6",
  session: "2026-04-29_1",
  title: "Fix the login",
  workspace: "/home/ada/code/shop",
  home: "/home/ada",
  mode: "edits",
  jobs: 0,
  context: { tokens: 1234, window: 200_000 },
  spent: { input: 5678, output: 1234, usd: 0.12 },
  traffic: { input: 5678, output: 1234 },
};

const line = (columns: number, facts: Partial<FooterFacts> = {}, theme = unicode): string =>
  footerLine({ ...FACTS, ...facts }, "full", { columns, theme }) ?? "";

describe("the status bar", () => {
  test.each([
    [
      200,
      "anthropic · claude-sonnet-4-6 │ Fix the login │ ~/code/shop │ edits │ 1,234 tok (1 %) │ ↑5,678 ↓1,234 $0.12",
    ],
    [90, "anthropic · claude-sonnet-4-6 │ Fix the login │ ~/code/shop │ edits │ 1,234 tok (1 %)"],
    [80, "anthropic · claude-sonnet-4-6 │ Fix the login │ edits │ 1,234 tok (1 %)"],
    [60, "anthropic · claude-sonnet-4-6 │ edits │ 1,234 tok (1 %)"],
    [40, "Fix the login │ edits │ 1,234 tok (1 %)"],
    [20, "edits │ 1,234 tok"],
    [12, "edits"],
    [3, "ed…"],
  ])("at %d columns", (columns, expected) => {
    expect(line(columns)).toBe(expected);
  });

  test("shows the id of a session without a title, and nothing that is not known yet", () => {
    const nothing = { input: 0, output: 0 };
    const facts = {
      title: "",
      workspace: undefined,
      context: undefined,
      spent: { ...nothing, usd: 0 },
      traffic: nothing,
    };
    expect(line(200, facts)).toBe("anthropic · claude-sonnet-4-6 │ 2026-04-29_1 │ edits");
    expect(line(200, { context: { tokens: 1234 } })).toContain("│ 1,234 tok │");
    expect(line(200, { jobs: 1 })).toContain("│ 1 job │ edits │");
    expect(line(14, { jobs: 2 })).toBe("2 jobs │ edits");
  });

  test("cuts a long model and a long title, and shows nothing that acts upon a terminal", () => {
    const shown = line(200, { model: "m".repeat(100), title: `\u001b[2J${"t".repeat(100)}\n` });
    expect(shown).toStartWith(`anthropic · ${"m".repeat(27)}… │ ${"t".repeat(29)}… │ `);
    expect(shown).not.toContain("\u001b");
  });

  test("has ASCII ornaments without UTF-8, and warns of the modes plan and all", () => {
    const ascii = themeOf({ NO_COLOR: "1", LC_ALL: "C" });
    expect(line(200, {}, ascii)).toMatch(/^[ -~]+$/);
    const colours = themeOf({});
    expect(line(200, { mode: "all" }, colours)).toContain(colours.warning("all"));
    expect(line(200, { mode: "ask" }, colours)).toContain(colours.dim("ask"));
  });

  test("is birdie's line, to the character, or off", () => {
    const birdie = footerLine(FACTS, "birdie", { columns: 200, theme: unicode });
    expect(birdie).toBe(
      " anthropic · claude-sonnet-4-6   │   session: 2026-04-29_1   │   ctx: 1,234 tok   │   spent: ↑5,678  ↓1,234 tok",
    );
    expect(footerLine(FACTS, "birdie", { columns: 20, theme: unicode })).toBe(" anthropic · claude…");
    expect(footerLine(FACTS, "off", { columns: 200, theme: unicode })).toBeUndefined();
  });
});
