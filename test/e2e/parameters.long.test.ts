import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { agentText } from "../support/agent-text.ts";
import { schemaBlock, toolTaking } from "../support/parameter-text.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const takes = `
  <Param name="seats" type="integer" min="1" max="9" default="2" />
  <Param name="place" type="object">
    <Param name="city" />
    <Param name="zip" pattern="^\\d{4}$" nullable default={null} />
  </Param>`;

/** Two calls of the tool and an answer. */
const script = [
  { calls: [{ name: "t", arguments: { seats: 0, place: { city: "Vienna", zip: "1" }, class: "first" } }] },
  { calls: [{ name: "t", arguments: { place: { city: "Vienna" } } }] },
  { text: "Done." },
];

test("an agent's tool gets what a model left out, and the model receives what does not fit; the journal keeps its words", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "agent/agent.mdx": agentText(toolTaking(takes)),
    "script.jsonl": script.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  const options = ["--trust", "--json", "--model", "script:script.jsonl", "--session", "s", "--prompt", "Book."];
  const run = await runCommandLine(["agent", "agent", ...options], { home: home.path });
  expect(run).toMatchObject({ exitCode: 0 });
  const events = run.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const results = events.filter(({ type }) => type === "tool_execution_end");
  expect(results.map(({ isError, result }) => [isError, result.content[0].text])).toStrictEqual([
    [
      true,
      'invalid arguments: parameter "class" is unknown; available: seats, place; parameter "seats" must be at least 1, not 0; ' +
        'parameter "place.zip" must be a text that matches `^\\d{4}$`, not "1". Example: t {"place":{"city":"<city>"}}',
    ],
    [false, '{"place":{"city":"Vienna","zip":null},"seats":2}'],
  ]);
  const journal = readFileSync(join(home.path, "agent/sessions/s/journal.jsonl"), "utf8");
  expect(journal).toContain('"arguments":{"place":{"city":"Vienna"}}');
});

test.skipIf(requireProgram("bwrap"))(
  "values on the command line are read by the types of a schema, null among them",
  async () => {
    using home = temporaryDirectory();
    const schema = {
      type: "object",
      properties: {
        note: { type: ["string", "null"] },
        code: { type: ["string", "null"] },
        count: { type: ["integer", "null"], default: 1 },
      },
    };
    writeFiles(home.path, { "agent/agent.mdx": agentText(toolTaking(schemaBlock(JSON.stringify(schema)))) });
    const run = await runCommandLine(["tool", "agent", "t", "note=null", "code=5", "--trust"], { home: home.path });
    expect(run).toStrictEqual({ exitCode: 0, stdout: '{"note":null,"code":"5","count":1}\n', stderr: "" });
  },
);

test("a check names rule, place and remedy of every parameter that does not fit together", async () => {
  using home = temporaryDirectory();
  const text = agentText(
    toolTaking('<Param name="a" type="integer" min="5" max="2" />\n<Param name="b" type="list" />'),
  );
  writeFiles(home.path, { "agent/agent.mdx": text });
  const run = await runCommandLine(["check", "agent"], { home: home.path });
  expect(run.exitCode).toBe(2);
  const told = `${run.stdout}${run.stderr}`;
  for (const part of ["8:40", "param-range", "swap the two", "9:17", "param-type", "did you mean `array`?"]) {
    expect(told).toContain(part);
  }
});
