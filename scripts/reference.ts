// `npm run reference`: writes the generated files of docs/; `npm run reference -- --check` says which of them are out of date.
import { join } from "node:path";
import { settingsSchema, userSettingsSchema } from "@mdx-ai/parser/settings";
import { cliPage } from "./reference/cli-page.ts";
import { diagnosticsPage } from "./reference/diagnostics-page.ts";
import { settingsPage } from "./reference/settings-page.ts";
import { withVendors } from "./reference/vendors-table.ts";

const DOCS = join(import.meta.dir, "../docs");

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The generated files, by path in docs, and a page with a generated table. Editors use the schemas. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "reference/cli.md": cliPage,
  "reference/diagnostics.md": diagnosticsPage,
  "reference/settings.md": settingsPage,
  "frontmatter.schema.json": () => json(settingsSchema),
  "settings.schema.json": () => json(userSettingsSchema),
  "models.md": async () => withVendors(await Bun.file(join(DOCS, "models.md")).text()),
};

const isCheck = process.argv.includes("--check");
for (const [name, page] of Object.entries(PAGES)) {
  const file = Bun.file(join(DOCS, name));
  const text = await page();
  if (!isCheck) await file.write(text);
  else if (!(await file.exists()) || (await file.text()) !== text) {
    console.error(`docs/${name} is out of date; npm run reference writes it`);
    process.exitCode = 1;
  }
}
