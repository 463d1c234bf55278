import { describe, expect, test } from "bun:test";
import SARIF_SCHEMA from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
import Ajv from "ajv";
import { check } from "../../support/checked-formats.ts";

/** The schema of the standard is one of draft 4, of which it uses nothing that later drafts have changed but these two names. */
function sarifProblems(log: unknown): readonly object[] {
  const { $schema: _draft, id: _id, ...schema } = SARIF_SCHEMA;
  const formats = {
    uri: (text: string) => URL.canParse(text),
    "uri-reference": (text: string) =>
      /^[\w.~!$&'()*+,;=:@/?#%-]*$/.test(text) && URL.canParse(text, "https://x.example/"),
    "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
  };
  const isValid = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, formats }).compile(schema);
  return isValid(log) ? [] : (isValid.errors ?? []);
}

describe("mdx-ai check on files of other programs", () => {
  test("--format sarif prints a log that the schema of SARIF 2.1.0 accepts", async () => {
    const { exitCode, stdout } = await check([".", "--strict", "--format", "sarif"]);
    const log: unknown = JSON.parse(stdout);
    expect(sarifProblems(log)).toEqual([]);
    expect(sarifProblems(JSON.parse(stdout.replace('"startLine": 1', '"startLine": 0')))).toMatchObject([{ keyword: "minimum" }]); // biome-ignore format: short
    expect(exitCode).toBe(2);
    expect(log).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "mdx-ai",
              rules: [{ id: "command-empty" }, { id: "key-unknown" }, { id: "permission-rule" }],
            },
          },
          results: [
            { ruleId: "key-unknown", ruleIndex: 1, level: "note" },
            {
              ...{ ruleId: "command-empty", ruleIndex: 0, level: "warning" },
              locations: [
                { physicalLocation: { artifactLocation: { uri: ".claude/commands/a%2C%20b%3A%2050%25.md" } } },
              ],
            },
            { level: "error", locations: [{ physicalLocation: { region: { startLine: 1, startColumn: 28 } } }] },
          ],
        },
      ],
    });
  });

  test.each(["github", "sarif"])("an agent directory has the format %s, too", async (format) => {
    const files = { "agent.mdx": "# Agent: Tea\n", "skills/.keep": "" };
    const { exitCode, stdout } = await check([".", "--format", format], files);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(
      format === "github" ? "::error file=agent.mdx,line=1,col=1,title=purpose-missing::" : '"purpose-missing"',
    );
    expect(format === "sarif" ? sarifProblems(JSON.parse(stdout)) : []).toEqual([]);
  });
});
