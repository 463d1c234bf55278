import { expect, test } from "bun:test";
import { agentWith, checkedFiles, placeAndRule } from "../../support/type-check.ts";

const block = (name: string, code: string): string => `@${name}:\n\`\`\`ts\n${code}\n\`\`\`\n`;

test("gates and checks of heartbeat.md are checked at their lines, and what fits has no message", async () => {
  const right = `## Schedule

@every: 5m
${block("gate", "async function gate(ctx) {\n  if (ctx.state.count === 1) return false;\n  return { wake: true, message: `${ctx.task}`, state: { count: 1 } };\n}")}
${block("done", 'const done = (ctx: DoneContext) => ctx.text.includes("total") || "the total is missing";')}
## Routine Tasks

`;
  const wrong = `- Every 10 minutes: One
  ${block("gate", 'async function gate(ctx: GateContext) {\n  return { wake: "yes" };\n}').replaceAll("\n", "\n  ")}
- Every 20 minutes: Two
  ${block("done", "async function done(ctx: DoneContext) {\n  return ctx.texts.length > 0;\n}").replaceAll("\n", "\n  ")}
- Every 30 minutes: Three
  ${block("done", "async function done(ctx) {\n  ctx.log(1);\n}").replaceAll("\n", "\n  ")}`;
  const text = right + wrong;
  const found = await checkedFiles({ "agent.mdx": agentWith(), "heartbeat.md": text });
  const lineOf = (part: string, from = 0): number => text.slice(0, text.indexOf(part, from)).split("\n").length;
  const three = text.indexOf("Three");
  expect(found.map(placeAndRule)).toEqual([
    `heartbeat.md:${lineOf("gate(ctx: GateContext)")}:18 heartbeat-types`,
    `heartbeat.md:${lineOf("ctx.texts")}:16 heartbeat-types`,
    `heartbeat.md:${lineOf("done(ctx)", three)}:18 heartbeat-types`,
  ]);
  expect(found.map(({ message }) => message.split(":")[0])).toEqual([
    "the type of `gate` does not fit `@gate`",
    "Property 'texts' does not exist on type 'DoneContext'. Did you mean 'text'? (TS2551)",
    "the type of `done` does not fit `@done`",
  ]);
  expect(found[0]?.hint).toBe("take `ctx: GateContext`, and return false or `{ wake, message, state }`");
});
