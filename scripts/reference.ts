// `npm run reference`: writes the pages of docs/reference that follow from the program; a test holds that they are up to date.
import { join } from "node:path";
import { cliPage } from "./reference/cli-page.ts";
import { diagnosticsPage } from "./reference/diagnostics-page.ts";
import { settingsPage } from "./reference/settings-page.ts";

/** The generated pages, by their names in docs/reference. */
export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "cli.md": cliPage,
  "diagnostics.md": diagnosticsPage,
  "settings.md": settingsPage,
};

if (import.meta.main) {
  for (const [name, page] of Object.entries(PAGES)) {
    await Bun.write(join(import.meta.dir, "../docs/reference", name), await page());
  }
}
