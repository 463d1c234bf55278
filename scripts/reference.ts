// `npm run reference`: writes the generated files of docs/; a test checks that they are up to date.
import { join } from "node:path";
import { settingsSchema, userSettingsSchema } from "@mdx-ai/parser/settings";
import { cliPage } from "./reference/cli-page.ts";
import { diagnosticsPage } from "./reference/diagnostics-page.ts";
import { settingsPage } from "./reference/settings-page.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The generated files, by path in docs. Editors use the schemas. */
export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "reference/cli.md": cliPage,
  "reference/diagnostics.md": diagnosticsPage,
  "reference/settings.md": settingsPage,
  "frontmatter.schema.json": () => json(settingsSchema),
  "settings.schema.json": () => json(userSettingsSchema),
};

if (import.meta.main) {
  for (const [name, page] of Object.entries(PAGES))
    await Bun.write(join(import.meta.dir, "../docs", name), await page());
}
