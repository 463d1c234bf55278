import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { attempt, DATA_FOLDERS, errorMessage, visibleText } from "@mdx-ai/base";
import { makeTemporaryFolder, realPathOrSame, resolveRealPath } from "@mdx-ai/base/disk";
import type { FileKeeper } from "@mdx-ai/loop";
import type { AppliedChange, ChangedFile, ProposedChange, SelfChange, SelfEditor } from "@mdx-ai/runtime";
import { checkDirectory } from "../checking/check-directory.ts";
import type { FrontEnd, SelfEditorOptions } from "../front-end.ts";
import { agreedHash, type Manifest, powerEntries } from "../manifest/manifest.ts";
import { powerChangeLine, powerDifference } from "../manifest/power-difference.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readCosts } from "../manifest/read-power.ts";
import type { FileChange } from "../reading/edit-record.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { textDifference } from "../testing/text-difference.ts";
import { trustRecord } from "../trust/trust-state.ts";
import { commitFiles, type Repository } from "./commit-files.ts";
import { makeEdit } from "./make-edit.ts";
import { shortName, takenBack } from "./take-back.ts";
import { testFailures } from "./test-failures.ts";

/** Checks changes of an agent's own files in a copy of its directory, and makes them. */
export function selfEditor(given: SelfEditorOptions): SelfEditor {
  const options = { ...given, frontEnd: { ...given.frontEnd, onNotice: () => {} } };
  return {
    propose: (change, signal) => proposed(change, options, signal),
    takeBack: (changes) => takenBack(changes, options),
  };
}

async function proposed(change: SelfChange, options: SelfEditorOptions, signal: AbortSignal): Promise<ProposedChange> {
  const { path, mode, frontEnd } = options;
  const folder = makeTemporaryFolder("mdx-ai-self-edit-");
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = copyOf(path, join(folder, basename(path)));
    const files = change.files.map((file) => fileChange(path, file));
    for (const { path: file, after } of files) writeInto(copy, file, after);
    const after = await checked(copy, frontEnd, signal);
    const before = await readCosts(await readDirectory(path, frontEnd));
    const power = powerDifference(powerEntries(before), powerEntries(after.manifest));
    const texts = await Promise.all(files.map(textLines));
    const lines = [
      ...power.map(powerChangeLine),
      ...(power.length === 0 ? ["no change of what it may do"] : []),
      ...texts.flat(),
    ];
    const asks = mode === "ask" || power.some(({ isMore }) => isMore);
    const apply = (keeper: FileKeeper | undefined, stop: AbortSignal): Promise<AppliedChange> =>
      applied({ change, files, copy, newHash: agreedHash(after.manifest), options }, keeper, stop);
    return { asks, lines, apply, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** What is never the agent's to change. */
const LEFT_OUT: readonly string[] = [...DATA_FOLDERS, ".git", "node_modules"];

function copyOf(path: string, copy: string): string {
  const isLeftOut = (source: string): boolean => dirname(source) === path && LEFT_OUT.includes(basename(source));
  cpSync(path, copy, { recursive: true, verbatimSymlinks: true, filter: (source) => !isLeftOut(source) });
  const modules = join(path, "node_modules");
  if (existsSync(modules)) symlinkSync(modules, join(copy, "node_modules"));
  return copy;
}

/** Throws if the file is outside the directory, or not the agent's to change, or if the text to replace is not in it once. */
function fileChange(directory: string, { path, change }: ChangedFile): FileChange {
  const file = normalize(path);
  const [first = ""] = file.split("/");
  const real = resolveRealPath(join(directory, file));
  const isOwn = !isAbsolute(file) && first !== ".." && file !== "." && !LEFT_OUT.includes(first.toLowerCase());
  if (!isOwn || real !== join(realPathOrSame(directory), file))
    throw new Error(`${path} is no file of the agent's own`);
  const before = attempt(() => readFileSync(real, "utf8"));
  const present = before === undefined ? {} : { before };
  if ("content" in change) return { path: file, ...present, after: change.content };
  const parts = before?.split(change.old) ?? [];
  if (parts.length !== 2)
    throw new Error(`${path} contains the text to replace ${Math.max(0, parts.length - 1)} times, not once`);
  return { path: file, ...present, after: parts.join(change.new) };
}

function writeInto(copy: string, path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

/** Rejects with the mistakes of the copy. */
async function checked(
  copy: string,
  frontEnd: FrontEnd,
  signal: AbortSignal,
): Promise<{ readonly manifest: Manifest }> {
  const { directory } = await checkDirectory(copy, frontEnd, { signal });
  const errors = directory.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return { manifest: await readCosts(directory) };
  const lines = errors.slice(0, 20).map(({ file, line, column, message, hint }) => `${file}:${line}:${column} ${message}${hint === undefined ? "" : `; ${hint}`}`); // biome-ignore format: short
  throw new Error(`the change was not made: the check of it found mistakes\n${lines.join("\n")}`);
}

async function textLines({ path, before = "", after }: FileChange): Promise<readonly string[]> {
  const lines = await textDifference(before, after);
  return [visibleText(path), ...lines.map(({ mark, text }) => `  ${mark} ${text}`.trimEnd())];
}

interface Applying {
  readonly change: SelfChange;
  readonly files: readonly FileChange[];
  readonly copy: string;
  /** Of what the agent may do then. */
  readonly newHash: string;
  readonly options: SelfEditorOptions;
}

async function applied(
  { change: { summary }, files, copy, newHash, options }: Applying,
  keeper: FileKeeper | undefined,
  signal: AbortSignal,
): Promise<AppliedChange> {
  const { path, frontEnd } = options;
  const failures = await testFailures(copy, frontEnd, signal);
  if (failures.length > 0) throw new Error(`the change was not made: its tests failed\n${failures.join("\n")}`);
  signal.throwIfAborted();
  const other = files.find(
    ({ path: file, before }) => attempt(() => readFileSync(join(path, file), "utf8")) !== before,
  );
  if (other !== undefined) throw new Error(`the change was not made: ${other.path} has changed meanwhile`);
  const directory = realPathOrSame(path);
  const trust = await trustedHash(path, frontEnd);
  await keepContents(directory, files, keeper);
  const agreed = trust === undefined ? undefined : { before: trust, after: newHash };
  await makeEdit({ directory, files }, agreed, frontEnd);
  const paths = files.map(({ path: file }) => file);
  const { text, commit } = await committed({ directory: path, environment: frontEnd.environment }, paths, summary);
  return {
    text: [`changed ${paths.join(", ")}; it counts from the next prompt on`, ...text].join("; "),
    made: { summary, paths, ...(commit !== undefined && { commit }), ...(trust !== undefined && { trust }) },
  };
}

interface Committed {
  readonly commit?: string;
  /** Empty without a repository. */
  readonly text: readonly string[];
}

async function committed(repository: Repository, paths: readonly string[], summary: string): Promise<Committed> {
  try {
    const commit = await commitFiles(repository, paths, summary);
    if (commit === undefined) return { text: [] };
    return { commit, text: [`it is one commit, ${shortName(commit)}, which an undo reverts`] };
  } catch (error) {
    return { text: [`it is not committed: ${errorMessage(error)}`] };
  }
}

/** Keeps the old contents for an undo. Rejects if one cannot be kept; nothing may change then. */
async function keepContents(
  directory: string,
  files: readonly FileChange[],
  keeper: FileKeeper | undefined,
): Promise<void> {
  for (const { path: file, after } of files) {
    const path = join(directory, file);
    await keeper?.keep({ path, existing: path, content: Buffer.from(after) });
  }
}

/**
 * The hash of the directory's state if its user trusts that: after a change that the user agreed to it stays trusted. Undefined if the user
 * does not, or trusts it with its edits.
 */
async function trustedHash(path: string, frontEnd: FrontEnd): Promise<string | undefined> {
  const directory = await readDirectory(path, frontEnd);
  const record = trustRecord(directory, frontEnd);
  if (record === undefined || record.edits === true) return undefined;
  return agreedHash(await readManifest(directory)) === record.hash ? record.hash : undefined;
}
