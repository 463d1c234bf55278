import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, isRecord, isWithin, jsonValue, sha256, stateDirectory } from "@mdx-ai/base";
import { hasProcess, readSmallFile, realPathOrSame, replaceFileSync } from "@mdx-ai/base/disk";
import { agentFolder, type FrontEnd } from "@mdx-ai/directory";

/** How other commands of the same user reach a server that runs on a directory. */
export interface ServerRecord {
  /** Such as "http://127.0.0.1:4100". */
  readonly url: string;
  /** The name of the directory's agent there. */
  readonly agent: string;
  readonly process: number;
  /** Absent if each user has a token. */
  readonly token?: string;
}

/** Bytes; longer than any record. */
const MAX_LENGTH = 4096;

/** In the user's state, which no agent can read: the record has the token. Undefined if there is none, or the agent could read it. */
function recordFile(directory: string, frontEnd: FrontEnd): string | undefined {
  const state = stateDirectory(frontEnd.environment);
  const path = realPathOrSame(agentFolder(directory, frontEnd));
  if (state === undefined || isWithin(path, realPathOrSame(state))) return undefined;
  return join(state, "servers", `${sha256(path).slice(0, 32)}.json`);
}

/** Writes the record of a server for each of its directories. Returns a function that removes them. Never throws. */
export function keepServerRecords(
  agents: readonly { readonly name: string; readonly directory: string }[],
  server: Pick<ServerRecord, "url" | "token">,
  frontEnd: FrontEnd,
): () => void {
  const forgets = agents.map(({ name, directory }) =>
    keepServerRecord(directory, { ...server, agent: name, process: process.pid }, frontEnd),
  );
  return () => {
    for (const forget of forgets) forget();
  };
}

/** Writes the record of a server, readable by its owner alone. Returns a function that removes it. Never throws: without a record, commands need the address. */
function keepServerRecord(directory: string, record: ServerRecord, frontEnd: FrontEnd): () => void {
  const file = attempt(() => recordFile(directory, frontEnd));
  if (file === undefined) return () => {};
  attempt(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFileSync({ path: file, text: `${JSON.stringify(record)}\n`, isDispensable: true });
  });
  return () => {
    // Another server may have begun meanwhile.
    if (readRecord(file)?.process === record.process) attempt(() => rmSync(file, { force: true }));
  };
}

/** The server that runs on a directory; undefined if there is none. */
export function runningServer(directory: string, frontEnd: FrontEnd): ServerRecord | undefined {
  const file = recordFile(directory, frontEnd);
  const record = file === undefined ? undefined : readRecord(file);
  return record !== undefined && hasProcess(record.process) ? record : undefined;
}

function readRecord(file: string): ServerRecord | undefined {
  const record = jsonValue(readSmallFile(file, MAX_LENGTH) ?? "");
  return isServerRecord(record) ? record : undefined;
}

const isServerRecord = (value: unknown): value is ServerRecord =>
  isRecord(value) &&
  ["url", "agent"].every((name) => typeof value[name] === "string") &&
  typeof value["process"] === "number" &&
  (value["token"] === undefined || typeof value["token"] === "string");
