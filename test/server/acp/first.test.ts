import { expect, test } from "bun:test";
import { acpEditor } from "../../support/acp-editor.ts";

test("a prompt", async () => {
  await using editor = await acpEditor({ replies: [{ text: "Hello." }] });
  const { sessionId, ...state } = await editor.open();
  console.log(JSON.stringify(state).slice(0, 500));
  const result = await editor.say(sessionId, "Hi");
  console.log(JSON.stringify(editor.parts.notifications, undefined, 1), editor.parts.warnings);
  expect(result).toEqual({ stopReason: "end_turn" });
  expect(editor.texts(sessionId)).toBe("Hello.");
});
