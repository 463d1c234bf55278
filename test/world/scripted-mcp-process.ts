// An MCP server over stdio that plays the script of its first argument. Lines of the second come before everything else.
import { createInterface } from "node:readline";
import { ScriptedAnswers } from "./odd-mcp-server.ts";

const [, , script = "{}", banner = ""] = process.argv;
const answers = new ScriptedAnswers(JSON.parse(script));
process.stdout.write(banner);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = answers.lineFor(line);
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
}
