import { expect, test } from "bun:test";
import { eventually } from "../../../../test/support/eventually.ts";
import { themeOf } from "../output/theme.ts";
import { InputCompletion } from "./screen/input-completion.ts";
import { PromptEditor } from "./screen/prompt-editor.ts";
import { FrameTerminal, ScrollbackScreen } from "./screen/scrollback-screen.ts";
import { WorkspaceFiles } from "./screen/workspace-files.ts";

const DOWN = "\u001b[B";

const commands = [
  {
    ...{ name: "/skill", words: "WHAT", description: "skills" },
    complete: () => [
      { value: "enable Weather", description: "Not only peaks" },
      { value: "enable Notes on peace", description: "" },
    ],
  },
];

test.each([
  ["/skill enable Nope", "", "/skill enable Nope", true],
  ["/skill enable Nope", DOWN, "/skill enable ", false],
  ["/skill enable Wea", "", "/skill enable Weather", false],
])("Enter after %j and %j gives %j, sent: %p", async (typed, keys, text, isSent) => {
  const screen = new ScrollbackScreen(new FrameTerminal(), { render: () => [], invalidate: () => undefined });
  const files = new WorkspaceFiles("/");
  const completion = new InputCompletion({ commands: () => commands, files, folder: "/" });
  const editor = new PromptEditor(screen, { theme: themeOf({ NO_COLOR: "1" }), completion });
  for (const key of typed) editor.handleInput(key);
  await eventually(() => editor.isShowingAutocomplete() && completion.isFor(typed));
  if (keys !== "") editor.handleInput(keys);
  expect(editor.enter()).toBe(isSent);
  expect(editor.getText()).toStartWith(text);
  expect(editor.getText() === typed).toBe(isSent);
});
