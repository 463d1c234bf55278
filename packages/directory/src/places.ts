import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { attempt, isRecord, sha256, stateDirectory } from "@mdx-ai/base";
import { DirectoryError } from "./directory-error.ts";
import { isFile } from "./disk.ts";
import type { Surroundings } from "./surroundings.ts";

type Place = Pick<Surroundings, "environment" | "currentDirectory">;

/** Whether a path names an agent that is one Markdown file. */
export const isAgentFile = (path: string, { currentDirectory }: Place): boolean =>
  /\.(?:md|markdown)$/i.test(path) && isFile(resolve(currentDirectory, path));

/**
 * The folder of the agent that a path names. Absolute; it may not exist. For a Markdown file it is one of the user's state, always
 * the same for a file. Throws `DirectoryError` ("data") if the user has no folder for state.
 */
export function agentFolder(path: string, place: Place): string {
  if (!isAgentFile(path, place)) return resolve(place.currentDirectory, path);
  const state = stateDirectory(place.environment);
  if (state === undefined) {
    throw new DirectoryError(
      "data",
      `no folder for the sessions of ${path}: set HOME, or XDG_STATE_HOME to an absolute path`,
    );
  }
  const file = realpathSync.native(resolve(place.currentDirectory, path));
  return join(state, "agents", uniqueName(file, extname(file)));
}

/** A name for what belongs to a path, which no other path has: with the beginning of its name, without an ending. */
export const uniqueName = (path: string, ending = ""): string =>
  `${basename(path, ending).slice(0, LONGEST_NAME)}-${sha256(path).slice(0, 16)}`;

/** In characters. */
const LONGEST_NAME = 60;

/** The record of what the folder of a file was made from: beside it, where the agent's tools cannot write. */
export const sourceRecord = (folder: string): string => `${folder}.json`;

/** What that record says; empty if there is no record that can be read. */
export function readSourceRecord(folder: string): Readonly<Record<string, unknown>> {
  const record: unknown = attempt(() => JSON.parse(readFileSync(sourceRecord(folder), "utf8")));
  return isRecord(record) ? record : {};
}

/** The file that a folder was made from; the folder itself if it was not made from a file. Absolute. */
export function agentSource(folder: string): string {
  if (basename(dirname(folder)) !== "agents") return folder;
  const { source } = readSourceRecord(folder);
  return typeof source === "string" ? source : folder;
}
