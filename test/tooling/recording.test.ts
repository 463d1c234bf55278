import { expect, test } from "bun:test";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { animatedSvg } from "../../scripts/recording/animated-svg.ts";
import { styledRuns } from "../../scripts/recording/styled-runs.ts";

const ESCAPE = String.fromCharCode(27);

/** The names of the elements of a document; throws if it is not well-formed. */
function elementsOf(xml: string): ReadonlySet<string> {
  const names = new Set<string>();
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => names.add(name));
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return names;
}

test("the runs of a row have their column, their colours and their weight", () => {
  expect(styledRuns(`a${ESCAPE}[1;32mb✓${ESCAPE}[0m c${ESCAPE}[38;5;196md${ESCAPE}[7me`)).toStrictEqual([
    { text: "a", column: 0, columns: 1, style: {} },
    { text: "b✓", column: 1, columns: 2, style: { isBold: true, color: "#98c379" } },
    { text: " c", column: 3, columns: 2, style: {} },
    { text: "d", column: 5, columns: 1, style: { color: "rgb(255,0,0)" } },
    { text: "e", column: 6, columns: 1, style: { color: "#15171c", background: "#d7dae0" } },
  ]);
});

test("frames become one SVG that draws each row once, shows them in time and stands still for who wants that", () => {
  const frames = [
    { at: 0, rows: ["$ ls <a> & b", ""] },
    { at: 500, rows: ["$ ls <a> & b", "c"] },
    { at: 1000, rows: ["$ ls <a> & b", "c"] },
  ];
  const svg = animatedSvg(frames, { columns: 20, rows: 2 });
  expect([...elementsOf(svg)]).not.toContain("script");
  expect(svg.match(/<g id="r/g)).toHaveLength(2);
  expect(svg).toContain("50.00%{transform:translateY(-36px)}");
  expect(svg).toContain("prefers-reduced-motion");
});

test("the recording of the README is an SVG without scripts, of at most 200 KB and about 20 seconds", async () => {
  const svg = await Bun.file(join(import.meta.dir, "../../docs/recording.svg")).text();
  expect(Buffer.byteLength(svg)).toBeLessThan(200_000);
  expect([...elementsOf(svg)]).toEqual(expect.arrayContaining(["svg", "style", "use", "text"]));
  expect([...elementsOf(svg)]).not.toContain("script");
  const [, milliseconds = "0"] = /animation:play (\d+)ms/.exec(svg) ?? [];
  expect(Math.abs(Number(milliseconds) - 20_000)).toBeLessThan(5000);
});
