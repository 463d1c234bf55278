// `npm run bench:memory -- FILE`: how well the search of the memory finds what answers the questions of a data set in LoCoMo's form,
// with plain BM25 beside it. The weights were chosen on the first, third, … conversations, so only the others are measured.
// `npm run bench:memory -- --speed`: what searching, adding and opening cost at 100,000 entries. Exits with 1 where a promise is broken.
import { readFileSync } from "node:fs";
import { readConversations } from "./memory/conversations.ts";
import { DEPTHS, measureRecall, type Recall } from "./memory/recall.ts";
import { measureSpeed } from "./memory/speed.ts";

const [argument] = process.argv.slice(2);
if (argument === "--speed") process.exitCode = await measureSpeed();
else if (argument === undefined) fail("name a data set in LoCoMo's form, or --speed");
else await reportRecall(argument);

async function reportRecall(file: string): Promise<void> {
  const heldOut = readConversations(readFileSync(file, "utf8")).filter((_, at) => at % 2 === 1);
  if (heldOut.length === 0) return fail("the data set has one conversation, on which weights may be chosen");
  const { questions, plain, found } = await measureRecall(heldOut);
  const ratios = found.map((share, at) => (share / (plain[at] ?? 1)).toFixed(2)).join("/");
  console.log(`share of evidence among the first ${DEPTHS.join("/")}, in %`);
  const title = `${heldOut.length} conversations, ${questions} questions`;
  console.log(`${title}   plain BM25 ${percent(plain)}   search ${percent(found)}   ratio ${ratios}`);
}

function percent(recall: Recall): string {
  return recall.map((share) => (100 * share).toFixed(1)).join("/");
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}
