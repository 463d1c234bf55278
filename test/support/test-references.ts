import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasTitle, testTitles } from "./test-titles.ts";

const ROOT = join(import.meta.dir, "../..");

/** A row of test/features.md: `| what works | M1 | test/a.test.ts › a title<br>test/b.test.ts › another |`. */
export interface FeatureRow {
  readonly feature: string;
  /** The row of a specification; empty if none asks for it. */
  readonly row: string;
  readonly tests: readonly string[];
}

/** The rows of Markdown's tables that refer to tests. */
export function featureRows(markdown: string): readonly FeatureRow[] {
  return markdown.split("\n").flatMap((line) => {
    const [, feature = "", row = "", tests = ""] = /^\| (.+?) \| ([MABC]\d+)? ?\| (.*›.*) \|$/.exec(line) ?? [];
    return tests === "" ? [] : [{ feature, row, tests: tests.split("<br>") }];
  });
}

/** What is wrong with a reference to a test, such as `test/a.test.ts › a title`; undefined where it is right. */
export async function referenceComplaint(reference: string): Promise<string | undefined> {
  const [file = "", title, ...rest] = reference.split(" › ");
  if (title === undefined || rest.length > 0) return `"${reference}" is not of the form "file › title"`;
  if (!/^(test|packages\/\w+\/src)\/.*\.test\.ts$/.test(file) || !existsSync(join(ROOT, file)))
    return `there is no test file ${file}`;
  return hasTitle(await titlesOf(file), title) ? undefined : `${file} has no test "${title}"`;
}

const readTitles = new Map<string, Promise<readonly string[]>>();

/** The titles of a test file, which is parsed once. */
function titlesOf(file: string): Promise<readonly string[]> {
  const reading = readTitles.get(file) ?? Bun.file(join(ROOT, file)).text().then(testTitles);
  readTitles.set(file, reading);
  return reading;
}
