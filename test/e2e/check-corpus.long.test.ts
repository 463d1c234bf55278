import { expect, test } from "bun:test";
import { join } from "node:path";
import { readCorpus } from "../support/corpus.ts";
import { writeCorpusCase } from "../support/corpus-case.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const names = [
  "file-missing/no-agent",
  "several/byte-order-mark",
  "several/crlf",
  "several/emoji",
  "several/mistakes-on-one-line",
  "several/one-of-each-file",
  "skill-name-duplicate/copied",
];

test.each(names)("mdx-ai check prints every mistake of a broken directory at its place: %s", async (name) => {
  const broken = readCorpus().find((one) => one.name === name);
  if (broken === undefined) throw new Error(`there is no case ${name}`);
  using home = temporaryDirectory();
  writeCorpusCase(broken, join(home.path, "agent"));
  const { exitCode, stdout } = await runCommandLine(["check", "agent", "--strict"], { home: home.path });
  const places = Array.from(stdout.matchAll(/^\S+:\d+:\d+ (?:error|warning|note) \S+/gm), ([place]) => place);
  expect(places).toStrictEqual(broken.expected.map((line) => `agent/${line}`));
  expect(exitCode).toBe(broken.expected.some((line) => line.includes(" error ")) ? 2 : 0);
});
