import { expect, test } from "bun:test";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const HOSTILE: readonly (readonly [count: number, text: string])[] = [
  ...["<i></i>", "<a href=x>", "<b></b>", "<span></span>", "<i> </i>", "<foo></foo>", "<rp>x</rp>", "x<wbr>"].map(
    (text) => [20_000, text] as const,
  ),
  [100, "<b>x<i>y<s>z"],
  [20_000, "<b>a</b><b>b</b>x"],
  [20_000, "<tr><td rowspan=10000>x"],
];

const convert = (html: string) => htmlToMarkdown(html, new URL("http://example.com/"));

/** The seconds of processor time that a conversion takes. */
function secondsFor(html: string): number {
  const before = process.cpuUsage();
  convert(html);
  return process.cpuUsage(before).user / 1e6;
}

test.each(HOSTILE)("converts %i times %s within seconds", (count, text) => {
  expect(secondsFor(`<table>${text.repeat(count)}`)).toBeLessThan(8);
  expect(secondsFor(text.repeat(count))).toBeLessThan(8);
});

test("converts a wide and long table within seconds", () => {
  const html = `<table><tr>${"<td>x".repeat(10_000)}${"<tr><td>y".repeat(9_000)}`;
  expect(secondsFor(html)).toBeLessThan(8);
  expect(convert(html).isCut).toBe(true);
});

test("converts 500,000 lines within quotes within seconds", () => {
  expect(secondsFor(`${"<blockquote>".repeat(140)}<pre>${"x\n".repeat(500_000)}`)).toBeLessThan(8);
});

test("refuses many elements within each other at once", () => {
  expect(() => convert("<span>".repeat(20_000))).toThrow(RangeError);
});
