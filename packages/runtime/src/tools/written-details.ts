import { readFileSync } from "node:fs";
import type { JsonObject } from "@mdx-ai/models";
import { attempt } from "../attempt.ts";
import type { WritableTarget } from "./writable-target.ts";

/** Bytes; larger contents are not compared. */
const MOST_BYTES = 256 * 1024;
/** With more edits the texts have little in common, and the search for the shortest diff takes long. */
const MOST_EDITS = 1_000;

/**
 * What a write is about to change, for user interfaces: `{created: true}`, or `{diff}` as that of `edit_file`. Undefined if it
 * cannot be compared. Never rejects.
 */
export async function writtenDetails(
  { path, existing }: WritableTarget,
  bytes: Uint8Array,
): Promise<JsonObject | undefined> {
  if (existing === undefined) return { created: true };
  if (Math.max(existing.size, bytes.length) > MOST_BYTES) return undefined;
  const before = attempt(() => readFileSync(path));
  if (before === undefined || before.includes(0) || bytes.includes(0)) return undefined;
  const decoder = new TextDecoder();
  const diff = await differenceOf(decoder.decode(before), decoder.decode(bytes));
  return diff === undefined ? undefined : { diff };
}

async function differenceOf(before: string, after: string): Promise<string | undefined> {
  if (before === after) return "";
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  return patch?.hunks.map(hunkText).join("\n");
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

const hunkText = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string =>
  [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines.map((line) => line.replace(/\r$/, ""))].join(
    "\n",
  );
