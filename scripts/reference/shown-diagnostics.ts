import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Diagnostic, type Rule, readAgentDirectory } from "@mdx-ai/parser";
import { readCorpus } from "../../test/support/corpus.ts";
import { type CorpusCase, writeCorpusCase } from "../../test/support/corpus-case.ts";

/** A diagnostic of a broken directory. */
export interface ShownDiagnostic {
  readonly diagnostic: Diagnostic;
  /** The text of the diagnostic's file; undefined if it is no text. */
  readonly source: string | undefined;
  /** How many diagnostics the directory has. */
  readonly count: number;
}

/** All diagnostics of the corpus, by rule, in the order of the cases. */
export async function shownDiagnostics(): Promise<ReadonlyMap<string, readonly ShownDiagnostic[]>> {
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-diagnostics-"));
  try {
    const shown: ShownDiagnostic[] = [];
    for (const broken of readCorpus()) shown.push(...(await readCase(broken, join(folder, "my-agent"))));
    return Map.groupBy(shown, ({ diagnostic }) => diagnostic.rule);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readCase(broken: CorpusCase, path: string): Promise<readonly ShownDiagnostic[]> {
  await rm(path, { recursive: true, force: true });
  writeCorpusCase(broken, path);
  const { diagnostics } = await readAgentDirectory(path);
  return diagnostics
    .filter(({ rule }) => isShownBy(broken, rule))
    .map((diagnostic) => ({
      diagnostic: { ...diagnostic, ...(diagnostic.hint && { hint: diagnostic.hint.replaceAll(path, "my-agent") }) },
      source: sourceOf(broken, diagnostic),
      count: diagnostics.length,
    }));
}

const isShownBy = ({ name }: CorpusCase, rule: Rule | string): boolean => name.startsWith(`${rule}/`);

function sourceOf({ files }: CorpusCase, { file }: Diagnostic): string | undefined {
  const found = files.findLast(({ path }) => path === file);
  return found?.form === "UTF-8" || found?.form === "CRLF" ? found.text : undefined;
}
