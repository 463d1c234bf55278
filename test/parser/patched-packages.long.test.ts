import { expect, test } from "bun:test";
import { bareParse } from "../../packages/parser/bench/bare-parser.ts";

type Node = ReturnType<typeof bareParse> | ReturnType<typeof bareParse>["children"][number];

/** Seconds of the processor that a text takes; see docs/upstream.md. */
function secondsOf(text: string): number {
  const start = process.cpuUsage();
  bareParse(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
}

test.each([
  ["emphasis of both kinds that closes nothing", "*a**b_c__".repeat(11_000)],
  ["quotes that end again and again", "> a\n\n".repeat(10_000)],
])("%s take a time that grows with the text", (_name, text) => {
  expect(secondsOf(text)).toBeLessThan(4);
});

const shown = (node: Node): string => {
  if ("children" in node) return `${node.type}(${node.children.map(shown).join(" ")})`;
  return "value" in node ? JSON.stringify(node.value) : node.type;
};

test.each([
  ["*a **b* c**", 'paragraph(emphasis("a " emphasis(emphasis("b") " c")))'],
  ["**a*b**c*", 'paragraph(strong("a*b") "c*")'],
  ["*foo**bar***", 'paragraph(emphasis("foo" strong("bar")))'],
  ["a*b _c* d_", 'paragraph("a" emphasis("b _c") " d_")'],
  ["***a** b*", 'paragraph(emphasis(strong("a") " b"))'],
  [
    "- a\n  1. b\n\n     c\n- d",
    'list(listItem(paragraph("a") list(listItem(paragraph("b") paragraph("c")))) listItem(paragraph("d")))',
  ],
  ["> a\n\n> b\n> - c", 'blockquote(paragraph("a")) blockquote(paragraph("b") list(listItem(paragraph("c"))))'],
])("%j is what CommonMark says", (text, expected) => {
  expect(shown(bareParse(text))).toBe(`root(${expected})`);
});
