import { describe, expect, test } from "bun:test";
import { themeOf } from "../output/theme.ts";
import { type Choice, ChoiceList } from "./screen/choice-list.ts";

const theme = themeOf({ NO_COLOR: "1", LC_ALL: "C.UTF-8" });
const choice = (title: string, details = "", remark = ""): Choice => ({ title, details, remark });
const many = Array.from({ length: 30 }, (_, at) => choice(`entry ${at}`));

describe("a list of choices", () => {
  test("shows titles and details in columns, and what to know before", () => {
    const list = new ChoiceList(
      [choice("Fix the login", "main, 3 h ago"), choice("Talk", "2, now", "interrupted")],
      theme,
    );
    expect(list.draw(60, 10)).toStrictEqual([
      "● Fix the login                          main, 3 h ago",
      "  Talk                                   interrupted, 2, now",
    ]);
  });

  test.each([20, 24, 40, 80, 200])("fits %d columns, also with wide characters and control sequences", (columns) => {
    const hostile = `\u001b[2J\u001b]0;owned\u0007漢字${"漢".repeat(200)}`;
    const list = new ChoiceList([choice(hostile, `${"x".repeat(60)}\u001b[31m`), choice("a", hostile)], theme);
    for (const line of list.draw(columns, 5)) {
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/\p{Cc}/u);
    }
  });

  test("keeps the selected one in sight, and stops at both ends", () => {
    const list = new ChoiceList(many, theme);
    list.move(-1);
    expect([list.selected, list.draw(40, 5)[0]]).toStrictEqual([0, "● entry 0"]);
    list.move(15);
    const shown = list.draw(40, 5);
    expect([shown.length, shown.filter((line) => line.startsWith("●"))]).toStrictEqual([5, ["● entry 15"]]);
    list.move(100);
    expect([list.selected, list.draw(40, 5).at(-1)]).toStrictEqual([29, "● entry 29"]);
    list.move(-1);
    expect(list.draw(40, 1)).toStrictEqual(["● entry 28"]);
  });

  test("is narrowed down by letters in title and details; nothing is selected where none fits", () => {
    const list = new ChoiceList([choice("Login", "~/web"), choice("Tests", "~/api"), choice("Docs", "~/web")], theme);
    list.move(1);
    list.filter("web");
    const found = list.draw(40, 5).map((line) => line.slice(2, 7).trim());
    expect(found.sort()).toStrictEqual(["Docs", "Login"]);
    list.filter("tsts");
    expect(list.selected).toBe(1);
    list.filter("zzz");
    list.move(1);
    expect([list.selected, list.draw(40, 5)]).toStrictEqual([undefined, ["  No match"]]);
    list.filter("");
    expect([list.selected, list.draw(40, 5).length]).toStrictEqual([0, 3]);
  });
});
