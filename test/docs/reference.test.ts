import { expect, test } from "bun:test";
import { join } from "node:path";
import { PAGES } from "../../scripts/reference.ts";

test.each(Object.entries(PAGES))(
  "docs/%s is up to date: npm run reference writes it",
  async (name, page) => {
    expect(await Bun.file(join(import.meta.dir, "../../docs", name)).text()).toBe(await page());
  },
  300_000,
);
