import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { QuestionBox } from "./question-box.ts";

test("lists the open questions in the order of their ids, and none that is answered", async () => {
  using folder = temporaryDirectory();
  const box = new QuestionBox(join(folder.path, "box"));
  expect([...box.open()]).toEqual([]);
  for (const id of ["3.1.10", "3.1.9", "12.1.1"]) box.post(id, { id });
  box.answer("12.1.1", { answer: "no" });
  expect([...new QuestionBox(join(folder.path, "box")).open()]).toEqual([
    ["3.1.9", { id: "3.1.9" }],
    ["3.1.10", { id: "3.1.10" }],
  ]);
});

test("keeps the first answer, also if the question is asked again", () => {
  using folder = temporaryDirectory();
  const box = new QuestionBox(folder.path);
  box.post("1.1.1", { tool: "bash" });
  expect(box.answerTo("1.1.1")).toBeUndefined();
  expect(box.answer("1.1.1", { answer: "yes" })).toBe(true);
  expect(box.answer("1.1.1", { answer: "no" })).toBe(false);
  box.post("1.1.1", { tool: "bash" });
  expect(box.answerTo("1.1.1")).toEqual({ answer: "yes" });
  box.remove("1.1.1");
  expect(readdirSync(folder.path)).toEqual([]);
});

test("hears of an answer that another process gave", async () => {
  using folder = temporaryDirectory();
  const box = new QuestionBox(folder.path);
  box.post("1.1.1", {});
  const answered = new Promise((resolve) => box.watch("1.1.1", resolve));
  new QuestionBox(folder.path).answer("1.1.1", { answer: "yes" });
  expect(await answered).toEqual({ answer: "yes" });
});

test("takes no path for an id, ignores torn files, and refuses files of a newer version", () => {
  using folder = temporaryDirectory();
  const box = new QuestionBox(folder.path);
  for (const id of ["", "../x", "a/b", ".", "a..b", "."]) expect(() => box.post(id, {})).toThrow("is not the id");
  writeFileSync(join(folder.path, "1.1.1.question.json"), '{"v":1,"cont');
  expect([...box.open()]).toEqual([]);
  writeFileSync(join(folder.path, "1.1.1.answer.json"), '{"v":2,"content":{}}');
  expect(() => box.answerTo("1.1.1")).toThrow("newer version");
});
