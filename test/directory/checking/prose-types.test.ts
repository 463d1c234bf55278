import { beforeAll, describe, expect, test } from "bun:test";
import type { Diagnostic } from "@mdx-ai/parser";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { checkedFiles, placeAndRule, typedTool } from "../../support/type-check.ts";

const exports = `import { helper } from "./data.ts"
import menu from "./menu.json"
import notes from "./notes.md"

export const who = { name: "Ada", teas: ["green", "black"] }
export const rows = [{ tea: "green" }, { tea: "black", note: "strong" }]
export const empty = []
export const cache = {}
export const remember = (tea) => { cache.last = tea; return tea }
export const make = (x) => ({ x })
export const later = async () => "soon"
export const nothing = undefined
export const Card = ({ title, note }) => <b title={title}>{note}</b>
export const Each = ({ of, children }) => <ul>{of.map(children)}</ul>
export class Pot {
  #warm = new Map([["a", 1]])
  get size() { return this.#warm.size }
}`;

/** Prose that fails when it runs, and the column and message of its mistake. */
const failing: readonly (readonly [name: string, prose: string, column: number, message: string])[] = [
  ["a member that is not there", "Be {who.nope.x}.", 9, "Property 'nope' does not exist on type"],
  ["a member of a member of a list", "Be {rows[0].nope.x}.", 13, "Property 'nope' does not exist on type"],
  [
    "a function that is not there",
    "Be {who.teas.mpa(x => x)}.",
    14,
    "Property 'mpa' does not exist on type 'string[]'",
  ],
  ["a misspelled member", "😀 {who.nmae}", 9, "Property 'nmae' does not exist on type"],
  ["in a quote", "> Be {who.nope}.", 11, "Property 'nope' does not exist on type"],
  ["in a heading", "# Be {who.nope}", 11, "Property 'nope' does not exist on type"],
  ["in an attribute of a component", "<Card title={who.nope} />", 18, "Property 'nope' does not exist on type"],
  ["in an attribute of a tag", "<b title={who.nope}>x</b>", 15, "Property 'nope' does not exist on type"],
  ["within a component", "<Card>*{who.nope}*</Card>", 13, "Property 'nope' does not exist on type"],
  ["a member of what a file exports", "{helper({ tea: 1 }).milk}", 21, "Property 'milk' does not exist on type"],
  ["a member of a JSON file", "{menu.hot.cold}", 11, "Property 'cold' does not exist on type"],
  ["what cannot be called", "{who.name()}", 6, "This expression is not callable"],
  ["what cannot be looked through", "{[...who]}", 6, "iterator"],
];

/** Prose that shows what is no text. */
const unshown: typeof failing = [
  ["an object", "Be {make(1)}.", 5, "unexpected value of the type `{ x: any; }`, expected text"],
  ["an object in a tag", "<b>{make(1)}</b>", 5, "unexpected value of the type `{ x: any; }`, expected text"],
  ["a list of objects", "Be {who.teas.map(make)}.", 5, "unexpected value of the type `{ x: any; }[]`, expected text"],
  ["a function", "Be {who.teas.map}.", 5, "expected text, a number, an element or a list of them"],
];

/** Prose that runs. */
const running: readonly (readonly [name: string, prose: string])[] = [
  ["members", "{who.name} {rows[1].tea} {rows.length} {menu.hot.tea} {notes.length}"],
  ["a member that some items have", "{rows.map((row) => row.note)} {rows.find((row) => row.tea === 'green').tea}"],
  ["an item of a list", "{who.teas[0].length} {who.teas.at(-1).length}"],
  ["an empty list", "{empty.map((one) => one.name.first)}"],
  ["a member that the code adds", "{remember('x')} {cache.last}"],
  ["fewer arguments and attributes", "{make().x} <Card /> <Card title='x' other={1} />"],
  ["a promise, nothing, a truth value, a map", "{later()} {nothing} {who.name === 'x'} {new Map([[who.name, 1]])}"],
  ["an element, and a list of some", "{<b>{who.name}</b>} {who.teas.map((tea) => <i key={tea}>{tea}</i>)}"],
  ["a function for a component", "<Each of={who.teas}>{(tea) => <b>{tea.length}</b>}</Each>"],
  ["a class", "{new Pot().size}"],
  ["what a function without a result returns", "{who.teas.forEach(make)}"],
  ["a fragment", "<>{who.name}</>"],
  ["what Bun has", "{Bun.version + who.name} {process.platform + who.name}"],
  ["code over lines in a quote", "> {who.teas\n> .map((tea) => tea.length)}"],
];

const start = `# Agent: Typed\n\n## Purpose\n\nBe checked.\n\n${exports}\n\n`;
const textOf = (paragraphs: readonly string[]): string => `${start}${paragraphs.join("\n\n")}\n`;
/** The first line of a paragraph, counted from 1. */
const lineOf = (paragraphs: readonly string[], index: number): number =>
  textOf(paragraphs.slice(0, index)).split("\n").length + (index === 0 ? -1 : 1);
const beside = {
  "data.ts": "export const helper = (order: { tea: number }) => order;\n",
  "menu.json": '{"hot": {"tea": 3}}',
  "notes.md": "# Notes\n",
  "skills/.gitkeep": "",
};
/** What is of no known type hides the types of what is beside it, so that the two have files of their own. */
describe.each([
  ["has a mistake where it fails", failing],
  ["has a mistake where it shows what is no text", unshown],
])("the prose of agent.mdx %s:", (_what, rows) => {
  const paragraphs = rows.map(([, prose]) => prose);
  let found: readonly Diagnostic[] = [];
  beforeAll(async () => {
    found = await checkedFiles({ "agent.mdx": textOf(paragraphs), ...beside });
  });

  test.each(rows.map(([name, , column, message], index) => ({ name, column, message, index })))("$name", (row) => {
    const line = lineOf(paragraphs, row.index);
    const here = found.filter((one) => one.line === line);
    expect(here.map(placeAndRule)).toStrictEqual([`agent.mdx:${line}:${row.column} prose-types`]);
    expect(here[0]?.message).toContain(row.message);
  });

  test("and nowhere else", () => expect(found).toHaveLength(rows.length));
});

describe("the prose of agent.mdx has no mistake with", () => {
  const paragraphs = running.map(([, prose]) => prose);
  let directory: Promise<readonly Diagnostic[]> = Promise.resolve([]);
  let text = "";
  beforeAll(() => {
    text = textOf(paragraphs);
    directory = checkedFiles({ "agent.mdx": text, ...beside });
  });

  test.each(running.map(([name], index) => ({ name, index })))("$name", async ({ index }) => {
    const [from, to] = [lineOf(paragraphs, index), lineOf(paragraphs, index + 1)];
    expect((await directory).filter(({ line }) => from <= line && line < to)).toStrictEqual([]);
  });

  test("and is compiled", async () => {
    const { program, diagnostics } = await parseAgentMdx(text);
    expect(diagnostics).toStrictEqual([]);
    expect(program).toBeDefined();
  });
});

test("imports and exports are checked at their places, beside tools, however the lines end", async () => {
  const text = `import { gone } from "./data.ts"\n\nexport const first = { a: 1 }\nexport const second = first.b.c\n\n${start}${typedTool("t", "", "async function execute() { return nowhere; }")}\n`;
  const found = await checkedFiles({ "agent.mdx": text.replaceAll("\n", "\r\n"), ...beside });
  expect(found.map(placeAndRule)).toStrictEqual([
    "agent.mdx:1:10 prose-types",
    "agent.mdx:4:29 prose-types",
    `agent.mdx:${text.split("\n").findIndex((line) => line.includes("nowhere")) + 1}:35 tool-types`,
  ]);
});
