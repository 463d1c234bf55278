import { attempt } from "@mdx-ai/base";
import { realPlaceOrSame } from "@mdx-ai/base/disk";
import { definingPaths, foldersOf } from "../permissions/defining-files.ts";
import { meaningInWorkspace } from "../permissions/workspace-files.ts";
import { AbsenceMarkers } from "./absence-markers.ts";
import { absentAmong, isThere, moveAside, OF_WORKSPACE } from "./move-aside.ts";
import { sharedFolder } from "./run-folder.ts";

/** Commands keep creating files that define the agent while it is read. */
export class UnsettledDirectoryError extends Error {
  override readonly name = "UnsettledDirectoryError";

  constructor(agentDir: string) {
    super(`commands that run in ${agentDir} keep creating files that define the agent; stop them first`);
  }
}

/** How often a directory is read again. */
const MOST_READINGS = 5;

/** Milliseconds within which the processes of a killed process's sandbox have ended, too. */
const DYING = 50;

export interface SettledReading<Result> {
  /** Absolute. */
  readonly agentDir: string;
  readonly read: () => Promise<Result>;
  /** The files read: paths relative to the directory, separated by "/". */
  readonly paths: (result: Result) => readonly string[];
  /** Receives a line about files that were set aside. */
  readonly onMoved: (line: string) => void;
}

/**
 * Reads an agent directory in which commands may run, and trusts no file that they created: such files are set aside first, and those that
 * appeared while it was read are not used. Rejects with `UnsettledDirectoryError`, or as `read` does.
 */
export async function readSettled<Result>({ agentDir, read, paths, onMoved }: SettledReading<Result>): Promise<Result> {
  for (let reading = 0; reading < MOST_READINGS; reading += 1) {
    const unsettled = new Set(settle(agentDir, onMoved));
    const result = await read();
    if (!paths(result).some((path) => isAmong(unsettled, path))) return result;
  }
  throw new UnsettledDirectoryError(agentDir);
}

/** Whether a protected path was absent when the running commands began, so that they may have created it. */
export function isUnsettled(agentDir: string, path: string): boolean {
  const markers = markersOf(agentDir);
  return markers?.all().some(({ paths }) => isAmong(new Set(paths), path)) ?? false;
}

/** The same for a path of a workspace. A name that runs code on its own is protected there at any depth. */
export function isUnsettledInWorkspace(workspace: string, path: string): boolean {
  const markers = markersOf(workspace)?.all() ?? [];
  if (markers.length === 0) return false;
  if (markers.some(({ paths }) => isAmong(new Set(paths), path))) return true;
  const meaningful = [...foldersOf(path), path].find((part) => meaningInWorkspace(part) !== undefined);
  return meaningful !== undefined && !isThere(workspace, meaningful);
}

/** Milliseconds for which a writer waits: longer than the process of a tool waits for its next call. */
const PATIENCE = 10_000;

/** A path that a file tool, or the user by a command of this program, makes. */
export interface MadePath {
  /** Absolute and real. */
  readonly folder: string;
  readonly kind: "agent" | "workspace";
  /** Relative to the folder, separated by "/". */
  readonly path: string;
}

/** Commands that run would be taken for the makers of a path. */
export class HeldPathError extends Error {
  override readonly name = "HeldPathError";
  readonly kind: MadePath["kind"];

  constructor({ kind, path }: MadePath) {
    super(`${path} cannot be created while a command runs`);
    this.kind = kind;
  }
}

/** Resolves when none of the paths would be taken for a command's; waits for a while, then rejects with `HeldPathError`. */
export async function untilSettled(paths: readonly MadePath[], signal?: AbortSignal): Promise<void> {
  const end = Date.now() + PATIENCE;
  for (let held = paths.find(isHeld); held !== undefined; held = paths.find(isHeld)) {
    if (Date.now() > end || signal?.aborted) throw new HeldPathError(held);
    await Bun.sleep(50);
  }
}

/**
 * Runs `make`, which creates a file or folder on the way to the paths, or at them, so that no command is taken for its maker: when
 * those that run have ended, and before the next one begins. Returns what it returns. Rejects with `HeldPathError`, or with what `make` throws.
 */
export async function makeSettled<Result>(
  paths: readonly MadePath[],
  make: () => Result,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    await untilSettled(paths, signal);
    // A command may have begun since.
    const done = underLocks(paths, () => (paths.some(isHeld) ? undefined : { made: make() }));
    if (done) return done.made;
  }
}

const isHeld = ({ folder, kind, path }: MadePath): boolean =>
  kind === "agent" ? isUnsettled(folder, path) : isUnsettledInWorkspace(folder, path);

/** Commands begin under the same locks. */
function underLocks<Result>(paths: readonly MadePath[], work: () => Result): Result {
  const all = paths.flatMap(({ folder, kind }) => {
    const markers = markersOf(folder);
    return markers ? [{ markers, kind }] : [];
  });
  const noting = (): Result => {
    const result = work();
    for (const { markers, kind } of all) if (kind === "workspace") markers.noteMade();
    return result;
  };
  // All processes take them in the same order.
  const inOrder = all.toSorted((one, other) => (one.markers.lock < other.markers.lock ? 1 : -1));
  return inOrder.reduce(
    (inner, { markers }) =>
      () =>
        markers.underLock(inner),
    noting,
  )();
}

/** Returns the paths that commands may create from now on. */
function settle(agentDir: string, onMoved: (line: string) => void): readonly string[] {
  const markers = markersOf(agentDir);
  if (!markers) return absentAmong(realPlaceOrSame(agentDir), definingPaths([]));
  const all = markers.all();
  if (all.length > 0) markers.underLock(() => settleMarkers(markers, { onMoved }));
  return [...absentAmong(markers.agentDir, definingPaths([])), ...all.flatMap(({ paths }) => paths)];
}

/** What a killed program's commands left in a workspace of what is protected there is set aside. `onMoved` as above. Never throws. */
export function settleWorkspace(workspace: string, onMoved: (line: string) => void): void {
  const markers = markersOf(workspace);
  if (!markers || markers.all().length === 0) return;
  attempt(() => markers.underLock(() => settleMarkers(markers, { onMoved, kind: OF_WORKSPACE })));
}

interface Settling {
  readonly onMoved: (line: string) => void;
  /** As for `moveAside`. */
  readonly kind?: string;
}

function settleMarkers(markers: AbsenceMarkers, { onMoved, kind }: Settling): void {
  const all = markers.all();
  if (all.some(({ isLive }) => !isLive)) Bun.sleepSync(DYING);
  for (const marker of all) {
    const line = moveAside({ ...marker, agentDir: markers.agentDir, kind });
    if (line !== "") onMoved(`the sandbox ${line}`);
    if (!marker.isLive) markers.remove(marker.path);
  }
}

function markersOf(agentDir: string): AbsenceMarkers | undefined {
  const folder = sharedFolder();
  return folder === undefined ? undefined : attempt(() => new AbsenceMarkers(agentDir, folder));
}

const isAmong = (paths: ReadonlySet<string>, path: string): boolean =>
  paths.has(path) || foldersOf(path).some((folder) => paths.has(folder));
