import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { attempt, isRecord, isText, VERSIONS_FOLDER } from "@mdx-ai/base";
import { draftName, replaceFileSync, syncFolderSync } from "@mdx-ai/base/disk";
import { DirectoryError } from "../directory-error.ts";
import { agentHome, currentLink, currentVersion, type Shelf } from "../installed-agents.ts";
import { type LockedAgent, readLocked, writtenAgent } from "./agents-lock.ts";

/** A version of an added agent: a folder beside other versions, and this record beside it. */
export interface InstalledVersion extends LockedAgent {
  /** The name of its folder: 64 hexadecimal digits. */
  readonly version: string;
  /** ISO 8601. */
  readonly since: string;
  /** The version that it replaced, which a rollback returns to. */
  readonly previous?: string;
}

const recordFile = (home: string, version: string): string => join(home, VERSIONS_FOLDER, `${version}.json`);

/** The record of a version; undefined if there is none, or if it is broken. */
export function readVersion(home: string, version: string): InstalledVersion | undefined {
  const value: unknown = attempt(() => JSON.parse(readFileSync(recordFile(home, version), "utf8")));
  const locked = readLocked(value);
  if (locked === undefined || !isRecord(value) || !isText(value["since"])) return undefined;
  const { previous, since } = value;
  return { ...locked, version, since, ...(isText(previous) && /^[0-9a-f]{64}$/.test(previous) && { previous }) };
}

export function writeVersion(home: string, { version, since, previous, ...locked }: InstalledVersion): void {
  const text = `${JSON.stringify({ ...writtenAgent(locked), since, previous }, undefined, 2)}\n`;
  replaceFileSync({ path: recordFile(home, version), text, mode: 0o644 });
}

/** Removes the record of a version: from then on no rollback returns to it. Throws the file system's error. */
export const removeRecord = (home: string, version: string): void => rmSync(recordFile(home, version), { force: true });

/** Makes a version the current one, in one step. */
export function switchTo(home: string, version: string): void {
  const draft = join(home, draftName(".current"));
  symlinkSync(join(VERSIONS_FOLDER, version), draft);
  try {
    renameSync(draft, currentLink(home));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolderSync(home);
}

export const makeHome = (home: string): void =>
  void mkdirSync(join(home, VERSIONS_FOLDER), { recursive: true, mode: 0o700 });

/** The current version of an added agent. Throws `DirectoryError` ("source") if there is no such agent, or if its record is lost. */
export function requireCurrent(shelf: Shelf, name: string): InstalledVersion {
  const home = agentHome(shelf, name);
  const version = currentVersion(home);
  const record = version === undefined ? undefined : readVersion(home, version);
  if (record !== undefined) return record;
  const what =
    version === undefined
      ? `no agent ${name} was added; see mdx-ai list`
      : `the record of ${name} is broken; add it again`;
  throw new DirectoryError("source", what);
}
