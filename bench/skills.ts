// Prints how long it takes to read 15,000 skills as people write them, and how many of them are refused. Fails if one throws, a
// refusal has no diagnostic, or the best of three readings takes longer than 1.5 seconds.
import { parseSkill } from "@mdx-ai/parser/parse";
import { skillCorpus } from "../test/support/skill-corpus.ts";

const COUNT = 15_000;
const MAX_SECONDS = 1.5;

// As a file's text is, not in the pieces of which it was made.
const skills = [...skillCorpus(COUNT, 7)].map(({ path, text }) => ({ path, text: Buffer.from(text).toString() }));
const characters = skills.reduce((sum, { text }) => sum + text.length, 0);

function readAll(): { readonly refused: number; readonly silent: number; readonly seconds: number } {
  let [refused, silent] = [0, 0];
  const start = performance.now();
  for (const { path, text } of skills) {
    const { definition: skill, diagnostics } = parseSkill(text, path);
    if (skill !== undefined) continue;
    refused++;
    if (diagnostics.length === 0) silent++;
  }
  return { refused, silent, seconds: (performance.now() - start) / 1000 };
}

const readings = [readAll(), readAll(), readAll()];
const times = readings.map(({ seconds }) => seconds);
const [{ refused, silent } = { refused: 0, silent: 0 }] = readings;
console.log(
  `${COUNT} skills of ${(characters / 1e6).toFixed(1)} million characters: ${times.map((time) => time.toFixed(2)).join(", ")} s;`,
  `${refused} refused, ${silent} of them without a diagnostic`,
);
if (silent > 0 || Math.min(...times) > MAX_SECONDS) process.exitCode = 1;
