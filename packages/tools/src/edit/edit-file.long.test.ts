import { describe, expect, test } from "bun:test";
import { edit, failed } from "../../../../test/support/editing.ts";

describe("edit_file", () => {
  test("replaces very many texts of one line", async () => {
    const { now, text } = await edit("a ".repeat(200_000), { old: "a", new: "bc", all: true });
    expect(now).toBe("bc ".repeat(200_000));
    expect(text).toBe("edited DIR/a.txt: 200000 replacements, now line 1");
  });

  test("takes bounded time for repeated lines, however many", async () => {
    const many = "a\n".repeat(300_000);
    const found = await edit(many, { old: "  a\n".repeat(4_000), new: "b\n", all: true });
    expect(found).toMatchObject({ now: "b\n".repeat(75), text: expect.stringContaining("75 replacements") });
    expect(await edit(many, { old: `${"  a\n".repeat(4_000)}b`, new: "c" })).toMatchObject({
      ...failed("The nearest match is at line 1:"),
      now: many,
    });
  });

  test.each([
    ["too large", "a", Array.from({ length: 40 }, () => ({ old: "a", new: "aa", all: true }))],
    ["too large", "a".repeat(100_000), [{ old: "a", new: "b".repeat(1_000), all: true }]],
    [
      "too many",
      `<0>${"a".repeat(4_000_000)}`,
      Array.from({ length: 300 }, (_, i) => ({ old: `<${i}>`, new: `<${i + 1}>` })),
    ],
  ])("refuses what is %s, since nothing else runs meanwhile", async (reason, content, edits) => {
    expect(await edit(content, ...edits)).toMatchObject({ ...failed(reason), now: content });
  });
});
