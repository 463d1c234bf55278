import { expect, test } from "bun:test";
import { expectLanguageFound, expectScriptsFound, first, LANGUAGES } from "../../../test/support/memory-languages.ts";
import { entry, temporaryStore } from "../../../test/support/open-store.ts";

/** So many that the index is searched. */
const MANY = 1_200;

test("texts in any script are found beside many others", () => expectScriptsFound(MANY));

test.each(Object.keys(LANGUAGES))("%s is found by its characters beside many others", (language) =>
  expectLanguageFound(language, MANY),
);

test("a large memory is searched by its index", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const filler = Array.from({ length: 2_500 }, (_, at) =>
    entry(`We spoke about topic${at % 50} and the house again`, {
      tags: { session: `${Math.floor(at / 20)}`, speaker: "Bert" },
    }),
  );
  await store.addEntries(...ids, filler);
  await store.addEntry(...ids, entry("What is your favourite place?", { tags: { session: "last", speaker: "Bert" } }));
  await store.addEntry(...ids, entry("A lighthouse in Brittany", { tags: { session: "last", speaker: "Anna" } }));
  expect(await first(opened, "Which lighthouse did Anna speak about?")).toBe("A lighthouse in Brittany");
  expect(await first(opened, "What is Anna's favourite place?")).toBe("A lighthouse in Brittany");
  expect(await first(opened, "house")).toContain("the house again");
  expect(await first(opened, "Anna")).toBe("A lighthouse in Brittany");
});
