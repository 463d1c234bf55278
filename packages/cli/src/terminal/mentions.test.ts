import { expect, test } from "bun:test";
import { droppedImage, mentionOf, mentionsIn, otherMentionsIn } from "./input/mentions.ts";
import { shellLineOf } from "./input/user-shell.ts";

const files = ["a.ts", "src/b c.ts", "odd:7", "x.ts."];
const mentions = (text: string) => mentionsIn(text, (path) => files.includes(path));

test.each([
  ["see @a.ts", [{ path: "a.ts" }]],
  ["@a.ts, and @a.ts again", [{ path: "a.ts" }]],
  ["(@a.ts:10-40)", [{ path: "a.ts", first: 10, last: 40 }]],
  ["line @a.ts:7.", [{ path: "a.ts", first: 7, last: 7 }]],
  ["backwards @a.ts:9-3", [{ path: "a.ts", first: 9, last: 9 }]],
  ["from @a.ts:0", [{ path: "a.ts", first: 1, last: 1 }]],
  ['@"src/b c.ts":2-3 it is', [{ path: "src/b c.ts", first: 2, last: 3 }]],
  ["a name with a colon: @odd:7", [{ path: "odd:7" }]],
  ["a name with a full stop: @x.ts.", [{ path: "x.ts." }]],
  ["me@a.ts", []],
  ["@nobody said @missing.ts", []],
  ["@", []],
])("%j names its files", (text, found) => {
  expect(mentions(text)).toStrictEqual([...found]);
});

test.each([
  ["@nobody said @missing.ts, @nobody", ["nobody", "missing.ts"]],
  ["@a.ts:3 but (@src/)", ["src/"]],
  ["me@b.ts @gone.ts:3-4", ["gone.ts"]],
])("%j names what is no file", (text, found) => {
  expect(otherMentionsIn(text, (path) => files.includes(path))).toStrictEqual(found);
});

test("a path is quoted behind @ where it has to be", () => {
  expect([mentionOf("a.ts"), mentionOf("src/b c.ts")]).toStrictEqual(["@a.ts", '@"src/b c.ts"']);
});

test.each([
  ["/x/y.png", "/x/y.png"],
  ["'/x/a b.JPG' ", "/x/a b.JPG"],
  ['"/x/a b.webp"', "/x/a b.webp"],
  [String.raw`/x/a\ b\(1\).gif`, "/x/a b(1).gif"],
  ["file:///x/a%20b.jpeg", "/x/a b.jpeg"],
  ["~/y.png", "~/y.png"],
  ["y.png", undefined],
  ["/x/y.txt", undefined],
  ["file://%zz.png", undefined],
  ["/x/y.png\n/x/z.png", undefined],
  ["", undefined],
])("the pasted text %j is the image %j", (pasted, path) => {
  expect(droppedImage(pasted)).toBe(path);
});

test.each([
  ["!npm test", { command: "npm test", isShared: true }],
  [" ! a\n b ", { command: "a\n b", isShared: true }],
  ["!!cat key", { command: "cat key", isShared: false }],
  ["!", undefined],
  ["!!", undefined],
  ["wow!", undefined],
])("%j is the shell line %j", (text, line) => {
  expect(shellLineOf(text)).toEqual(line);
});
