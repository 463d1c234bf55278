import { SourceMap } from "node:module";
import type { SourcePoint } from "@mdx-ai/parser";
import { isRecord } from "../../../record.ts";

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

/** Finds the place in the document for one in its compiled program. */
export type ProgramMap = (point: SourcePoint) => SourcePoint | undefined;

/** The map that a program carries in its last line; without one, no place is known. */
export function programMap(program: string): ProgramMap {
  const [, encoded] = INLINE_MAP.exec(program) ?? [];
  if (encoded === undefined) return () => undefined;
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString("utf8")));
  return ({ line, column }) => {
    const entry: unknown = map.findEntry(line - 1, column - 1);
    if (!isRecord(entry) || typeof entry["originalLine"] !== "number") return undefined;
    return { line: entry["originalLine"] + 1, column: Number(entry["originalColumn"]) + 1 };
  };
}
