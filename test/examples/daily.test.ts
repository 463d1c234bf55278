import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyExamples } from "../support/example-copy.ts";
import { DAY, HOUR } from "../support/heartbeat-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { openWaking, userTexts } from "../support/waking-agent.ts";

test("the daily example asks no model without a new note, and sends a summary back that is not there", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "daily");
  copyExamples(path, "daily");
  const calls = [{ id: "1", name: "write_file", arguments: { path: "summaries/2026-11-22.md", content: "Decided." } }];
  const replies = [{ text: "Here it is." }, { calls }, { text: "Written." }];
  const { agent, clock, lines, ended, warnings } = await openWaking(path, replies, {
    start: "2026-11-21T16:00:00.000Z",
  });
  clock.pass(HOUR);
  await ended(1);
  expect(lines("ended")).toMatchObject([{ outcome: "gated", tokens: 0 }]);
  mkdirSync(join(path, "notes"));
  await Bun.write(join(path, "notes/monday.md"), "We decided.");
  clock.pass(DAY);
  await ended(2);
  expect([lines("ended")[1], warnings]).toMatchObject([{ outcome: "done" }, []]);
  const session = String(lines("began")[1]?.["session"]);
  const texts = await userTexts(agent, session);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toEndWith("Write the summary to summaries/2026-11-22.md.");
  expect(texts[1]).toContain("summaries/2026-11-22.md does not exist");
  clock.pass(DAY);
  await ended(3);
  expect(lines("ended")[2]).toMatchObject({ outcome: "gated" });
  await agent.close();
});
