import { expect, test } from "bun:test";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";

test("a file of a megabyte is read whole", async () => {
  const lines = "The agent reads files and says clearly what it does not know.\n".repeat(8);
  const comments = "// a line of a comment\n".repeat(400);
  const chapters = Array.from({ length: 70 }, (_, index) => {
    const attributes = `name="tool_${index}" description="Number ${index}"`;
    return `## Chapter ${index}\n\n${lines}\n${toolWithCode(`function execute() {}\n${comments}`, attributes)}\n${lines.repeat(8)}`;
  });
  const text = agentText(chapters.join("\n"));
  expect(text.length).toBeGreaterThan(950_000);
  const { tools, identity, diagnostics } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  expect(tools).toHaveLength(70);
  expect(identity.sections).toHaveLength(70);
});
