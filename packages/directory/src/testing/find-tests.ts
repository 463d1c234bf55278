import { DirectoryError } from "../directory-error.ts";
import { plainLine } from "../text/plain-text.ts";
import { exampleCases } from "./example-cases.ts";
import { recordingCases } from "./recording-cases.ts";
import type { TestCase, TestRun, TestSource } from "./test-case.ts";

/** Where tests come from, in the order in which they run. */
const SOURCES: readonly TestSource[] = [exampleCases, recordingCases];

const HOW_TO =
  "write an <Example> into a <Tool> of agent.mdx: " +
  'a block of ```json with {"arguments": {…}, "result": "…"} between <Example> and </Example>, ' +
  "or keep a session as a test: mdx-ai sessions DIR export ID --format jsonl --output DIR/tests/NAME.jsonl";

/** The tests of an agent directory whose subject or name holds `filter`. Rejects with `DirectoryError` ("untested") if there is none. */
export async function findTests(run: TestRun, filter = ""): Promise<readonly TestCase[]> {
  const found = (await Promise.all(SOURCES.map((source) => source(run)))).flat();
  if (found.length === 0) throw new DirectoryError("untested", `there is nothing to test; ${HOW_TO}`);
  const wanted = filter.toLowerCase();
  const chosen = found.filter(({ subject, name }) => `${subject}: ${name}`.toLowerCase().includes(wanted));
  if (chosen.length > 0) return chosen;
  const names = found.slice(0, 10).map(({ subject, name }) => plainLine(`${subject}: ${name}`));
  const more = found.length > names.length ? ", …" : "";
  throw new DirectoryError(
    "untested",
    `there is nothing to test: no name of a test holds ${JSON.stringify(filter)}; there are: ${names.join(", ")}${more}`,
  );
}
