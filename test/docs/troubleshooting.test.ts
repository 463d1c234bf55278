import { expect, test } from "bun:test";
import { join } from "node:path";
import { codeSpans } from "../support/markdown-text.ts";

const ROOT = join(import.meta.dir, "../..");
const page = await Bun.file(join(ROOT, "docs/troubleshooting.md")).text();

/** All texts of the sources, those that are put together of several literals in one piece. */
async function sources(): Promise<string> {
  const files = [...new Bun.Glob("packages/*/src/**/*.ts").scanSync(ROOT)].filter((file) => !file.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((file) => Bun.file(join(ROOT, file)).text()));
  return texts
    .join("\n")
    .replaceAll(/["`]\s*\+\s*["`]/g, "")
    .replaceAll("\\`", "`")
    .replaceAll("\\\\", "\\");
}

test("every message on the page about troubleshooting is one of the program's", async () => {
  const text = await sources();
  const messages = [...page.matchAll(/^- ((?:`[^`]*`|[^`:])+):/gm)].flatMap(([, seen = ""]) => codeSpans(seen));
  expect(messages.length).toBeGreaterThan(35);
  const parts = messages.flatMap((message) => message.split("…")).map((part) => part.trim());
  expect(parts.filter((part) => !text.includes(part))).toEqual([]);
});
