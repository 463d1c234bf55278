import { expect, test } from "bun:test";
import { themeOf } from "../output/theme.ts";
import { PromptEditor } from "./screen/prompt-editor.ts";
import { FrameTerminal, ScrollbackScreen } from "./screen/scrollback-screen.ts";

/** An editor with vi keys, after a text was typed and keys were pressed. */
function editorAfter(text: string, keys: string): PromptEditor {
  const screen = new ScrollbackScreen(new FrameTerminal(), { render: () => [], invalidate: () => undefined });
  const editor = new PromptEditor(screen, { theme: themeOf({ NO_COLOR: "1" }) });
  editor.useVi(true);
  editor.insertTextAtCursor(text);
  for (const key of keys.replaceAll("<Esc>", "\u001b")) editor.handleInput(key);
  return editor;
}

/** The text with a bar at the cursor. */
function shown(editor: PromptEditor): string {
  const { line, col } = editor.getCursor();
  const marked = editor.getLines().map((text, at) => (at === line ? `${text.slice(0, col)}|${text.slice(col)}` : text));
  return marked.join("\n");
}

test.each([
  ["one two", "!", "one two!|"],
  ["one two", "<Esc>", "one tw|o"],
  ["one two", "<Esc>0iX", "X|one two"],
  ["one two", "<Esc>0aX", "oX|ne two"],
  ["one two", "<Esc>0AX", "one twoX|"],
  ["one two", "<Esc>IX", "X|one two"],
  ["one two", "<Esc>0wx", "one |wo"],
  ["one two", "<Esc>0ex", "on| two"],
  ["one, two", "<Esc>bbx", "one| two"],
  ["one two", "<Esc>0lD", "o|"],
  ["one two", "<Esc>0xp", "no|e two"],
  ["one two", "<Esc>0x$p", "ne twoo|"],
  ["one two", "<Esc>0xu", "|one two"],
  ["one two", "<Esc>hhhhhhhhhhh", "|one two"],
  ["one\ntwo", "<Esc>dd", "|one"],
  ["one\ntwo", "<Esc>kddp", "two\none|"],
  ["one\ntwo", "<Esc>kyyjp", "one\ntwo\none|"],
  ["one\ntwo", "<Esc>koX", "one\nX|\ntwo"],
  ["one", "<Esc>dd", "|"],
  ["one\ntwo", "<Esc>k0wx", "one\n|wo"],
  ["日本 語", "<Esc>0x", "|本 語"],
  ["one", "<Esc>zzdzqi!", "on!|e"],
])("%j and the keys %j give %j", (text, keys, expected) => {
  expect(shown(editorAfter(text, keys))).toBe(expected);
});

test("the mark shows normal mode, and switching vi keys off ends it", () => {
  const editor = editorAfter("one", "<Esc>");
  expect(editor.render(40)[0]).toStartWith(": ");
  editor.useVi(false);
  expect(editor.render(40)[0]).toStartWith("> ");
  editor.handleInput("x");
  expect(editor.getText()).toBe("onxe");
});
