import { expect, test } from "bun:test";
import { join } from "node:path";
import { LIVE_JOURNAL, olderJournal } from "./session-journals.ts";

const page = await Bun.file(join(import.meta.dir, "../../../../docs/durability.md")).text();

test("the page about durability names the files as they are called", () => {
  for (const name of [LIVE_JOURNAL, olderJournal(1), olderJournal(2)]) expect(page).toContain(`\`${name}\``);
});
