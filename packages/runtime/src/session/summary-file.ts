import { join } from "node:path";
import { replaceFileSync } from "../files/replace-file.ts";
import { jsonValue } from "../json-value.ts";
import { isRecord } from "../record.ts";
import { isAmount, isSpending } from "../spending/spending.ts";
import type { FiguresUpTo } from "./session-summary.ts";
import { readSmallFile } from "./small-file.ts";

/** The file in a session's folder that keeps its figures, so that a list need not read its journals. A cache, never more. */
export const SUMMARY_FILE = "summary.json";

/** A state of `journal.jsonl`. */
export interface JournalState {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly inode: number;
  /** The length of its whole lines, in bytes. */
  readonly end: number;
}

/** The figures of a session, and the state of the journal that they were made from. */
export interface KeptSummary extends FiguresUpTo {
  readonly journal: JournalState;
}

/**
 * Writes the summary of a session. Not synced: a reader sees the old file or the new one, and after a power cut possibly
 * none. Never throws: what fails is written the next time.
 */
export function writeSummary(folder: string, summary: KeptSummary): void {
  try {
    replaceFileSync({ path: join(folder, SUMMARY_FILE), text: `${JSON.stringify(summary)}\n`, isDispensable: true });
  } catch {
    // A list reads the journals then.
  }
}

/** Bytes; no summary is as long. */
const LONGEST = 8192;

/** The summary of a session; undefined if there is none, or none that can be used. Never throws. */
export function readSummary(folder: string): KeptSummary | undefined {
  try {
    const value = jsonValue(readSmallFile(join(folder, SUMMARY_FILE), LONGEST) ?? "");
    return isKeptSummary(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isKeptSummary = (value: unknown): value is KeptSummary =>
  isRecord(value) && isJournalState(value["journal"]) && isAmount(value["lastPrompt"]) && isFigures(value["figures"]);

const isJournalState = (value: unknown): boolean =>
  isRecord(value) && ["size", "mtime", "inode", "end"].every((name) => isAmount(value[name]));

const isFigures = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["title"] === "string" &&
  isAmount(value["prompts"]) &&
  isAmount(value["turns"]) &&
  isSpending(value["spending"]) &&
  Number.isFinite(value["created"] ?? 0) &&
  isAmount(value["damagedLines"] ?? 0) &&
  typeof value["isUnfinished"] === "boolean";
