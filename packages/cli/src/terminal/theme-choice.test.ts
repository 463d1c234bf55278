import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { themeOf } from "../output/theme.ts";
import { chosenTheme, runThemeCommand } from "./theme-choice.ts";

describe("/theme", () => {
  test("changes the colours at once, and keeps them for later conversations above the settings", () => {
    using home = temporaryDirectory();
    const environment = { HOME: home.path };
    const theme = themeOf(environment);
    expect(theme.accent("x")).toBe("\u001b[36mx\u001b[39m");
    expect(chosenTheme(environment, undefined)).toBe("ansi");
    expect(chosenTheme(environment, "dark")).toBe("dark");
    expect(runThemeCommand("light", theme, environment)).toBe("The theme is light.");
    expect(theme.accent("x")).toBe("\u001b[38;5;25mx\u001b[39m");
    expect(chosenTheme(environment, "dark")).toBe("light");
    expect(runThemeCommand("", theme, environment)).toBe("The theme is light; /theme dark | light | ansi changes it.");
  });

  test("refuses other names, and NO_COLOR stays without colours", () => {
    using home = temporaryDirectory();
    const environment = { HOME: home.path, NO_COLOR: "1" };
    const theme = themeOf(environment);
    expect(runThemeCommand("neon", theme, environment)).toBe(
      'There is no theme "neon"; write /theme dark | light | ansi',
    );
    expect(chosenTheme(environment, undefined)).toBe("ansi");
    expect(runThemeCommand("dark", theme, environment)).toBe(
      "The theme is dark. NO_COLOR is set, so there are no colours.",
    );
    expect(theme.warning("x")).toBe("x");
  });

  test("a damaged choice does not count", () => {
    using home = temporaryDirectory();
    const environment = { HOME: home.path };
    runThemeCommand("dark", themeOf(environment), environment);
    for (const text of ["{", "[]", '{"theme":"neon"}', ""]) {
      writeFileSync(join(home.path, ".local/state/mdx-ai/terminal.json"), text);
      expect(chosenTheme(environment, "light")).toBe("light");
    }
  });
});
