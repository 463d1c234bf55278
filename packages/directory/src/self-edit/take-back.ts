import { errorMessage, visibleText } from "@mdx-ai/base";
import type { MadeChange } from "@mdx-ai/runtime";
import type { FrontEnd, SelfEditorOptions } from "../front-end.ts";
import { agreedHash } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { keepTrustOf, trustRecord } from "../trust/trust-state.ts";
import { areAsIn, areTakenBack, commitFiles, type FilesOfCommit, type Repository } from "./commit-files.ts";

/** As `SelfEditor.takeBack`. */
export async function takenBack(
  changes: readonly MadeChange[],
  { path, frontEnd }: Pick<SelfEditorOptions, "path" | "frontEnd">,
): Promise<string | undefined> {
  const first = changes.at(-1);
  if (first?.trust !== undefined) await trustAgain(path, first.trust, frontEnd);
  const commits = changes.flatMap(({ commit, ...change }) => (commit === undefined ? [] : [{ ...change, commit }]));
  if (commits.length === 0) return undefined;
  try {
    return await reverted(commits, { directory: path, environment: frontEnd.environment });
  } catch (error) {
    return `the commit of it is not reverted: ${errorMessage(error)}`;
  }
}

/** Trusts the directory if it is in the very state again that its user trusted before the changes. */
async function trustAgain(path: string, hash: string, frontEnd: FrontEnd): Promise<void> {
  const directory = await readDirectory(path, { ...frontEnd, onNotice: () => {} });
  const record = trustRecord(directory, frontEnd);
  if (record === undefined || record.edits === true || record.hash === hash) return;
  const manifest = await readManifest(directory);
  if (agreedHash(manifest) === hash) await keepTrustOf(directory, manifest, frontEnd);
}

type CommittedChange = MadeChange & FilesOfCommit;

/** Makes one commit of the files, which are as they were before the commits; the last commit is the first. Resolves to a line about it. Rejects if git fails. */
async function reverted(commits: readonly CommittedChange[], repository: Repository): Promise<string | undefined> {
  const firsts = new Map(commits.flatMap(({ paths, commit }) => paths.map((path) => [path, commit] as const)));
  const names = commits.map(({ commit }) => commit);
  for (const commit of names) {
    const paths = [...firsts].flatMap(([path, first]) => (first === commit ? path : []));
    const isDone = paths.length === 0 || (await areTakenBack(repository, { commit, paths }));
    if (!isDone) return `the commit ${shortName(commit)} stays, since not all of its files are as before it`;
  }
  const paths = [...firsts.keys()];
  if (await areAsIn(repository, "HEAD", paths)) return undefined;
  const summaries = commits.map(({ summary }) => `Revert "${visibleText(summary)}"`);
  const message = [summaries.join("; "), ...names.map((name) => `This reverts commit ${name}.`)].join("\n\n");
  const commit = await commitFiles(repository, paths, message);
  return commit && `the commit ${shortName(commit)} reverts ${names.map(shortName).join(" and ")}`;
}

export const shortName = (commit: string): string => commit.slice(0, 12);
