import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasTitle, testTitles } from "./test-titles.ts";

const ROOT = join(import.meta.dir, "../..");

/** The cells of the rows of Markdown's tables whose last cell holds references to tests; `<br>` separates these. */
export interface ReferenceRow {
  /** The cell at the start. */
  readonly name: string;
  readonly tests: readonly string[];
}

/** The rows of a document that refer to tests: `| what | … | test/a.test.ts › a title<br>test/b.test.ts › another |`. */
export function referenceRows(markdown: string): readonly ReferenceRow[] {
  return markdown.split("\n").flatMap((line) => {
    const match =
      /^\| (.+?) \|.*?\| ((?:test|packages)\/.+) \|$/.exec(line) ??
      /^\| (.+?) \| ((?:test|packages)\/.+) \|$/.exec(line);
    return match === null ? [] : [{ name: match[1] ?? "", tests: (match[2] ?? "").split("<br>") }];
  });
}

/** What is wrong with a reference to a test, such as `test/a.test.ts › a title`; undefined where it is right. */
export async function referenceComplaint(reference: string): Promise<string | undefined> {
  const [file = "", title, ...rest] = reference.split(" › ");
  if (title === undefined || rest.length > 0) return `"${reference}" is not of the form "file › title"`;
  if (!/^(test|packages\/\w+\/src)\/.*\.test\.ts$/.test(file) || !existsSync(join(ROOT, file)))
    return `there is no test file ${file}`;
  const titles = testTitles(await Bun.file(join(ROOT, file)).text());
  return hasTitle(titles, title) ? undefined : `${file} has no test "${title}"`;
}
