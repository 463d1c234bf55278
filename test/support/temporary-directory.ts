import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryDirectory extends Disposable {
  /** Absolute and real. */
  readonly path: string;
}

/** A new folder for one test, removed with all in it when the test's scope ends. */
export function temporaryDirectory(parent: string = tmpdir()): TemporaryDirectory {
  const path = realpathSync(mkdtempSync(join(parent, "mdx-ai-test-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
