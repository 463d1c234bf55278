import { expect, test } from "bun:test";
import { HOSTILE_TEXTS } from "../support/hostile-texts.ts";
import { parseAgentMdx } from "../support/parse-agent-mdx.ts";

/** Those of all kinds that took longest: npm run bench:hostile. */
const WORST = [
  ...["exportLong", "exportOpen", "importsB", "liTool", "defs", "headings"],
  ...["nestedLinks", "lines", "fences", "headingsTool", "quotesLines", "lazy"],
];
/** Milliseconds of the processor. Most take one second; those that the watchdog does not stop took a minute and more. */
const BOUND = 15_000;

test.each(WORST)(
  "100 KB of %s are read, or are a mistake at a place, in bounded time of the processor",
  async (name) => {
    const text = HOSTILE_TEXTS[name];
    expect(text).toBeString();
    const start = process.cpuUsage();
    const { identity, diagnostics } = await parseAgentMdx(`# Agent: A\n\n## Purpose\n\nP\n\n${text}`);
    const { user, system } = process.cpuUsage(start);
    const isPlaced = diagnostics.some(({ severity, line, column }) => severity !== "note" && line > 0 && column > 0);
    expect(isPlaced || identity.name === "A").toBe(true);
    expect((user + system) / 1_000).toBeLessThan(BOUND);
  },
);

test("a text that would take the parser without a clock minutes is a mistake", async () => {
  const { diagnostics } = await parseAgentMdx(`# Agent: A\n\n## Purpose\n\nP\n\n${HOSTILE_TEXTS["exportLong"]}`);
  expect(diagnostics.map(({ rule }) => rule)).toStrictEqual(["text-too-complex"]);
});
