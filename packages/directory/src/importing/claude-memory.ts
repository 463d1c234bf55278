import { type ImportNote, notesOn } from "./imported-agent.ts";
import { isFile, noteOthers, readSource } from "./source-file.ts";

/** The memory of a project. */
export interface ImportedMemory {
  /** Absent if there is no file. */
  readonly text?: string;
  readonly notes: readonly ImportNote[];
}

/** Bytes of AGENT.md that a model receives. */
const SENT = 65_536;

/** A line that takes in another file. */
const IMPORT = /(?:^|\s)@(?:[~.]{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.\w+\b/;

/** The texts of the files that exist, in their order. */
export function claudeMemory(paths: readonly string[]): ImportedMemory {
  const found = paths.filter(isFile).map((path) => {
    const source = readSource(path);
    const { body } = source;
    const on = notesOn(path);
    const { notes, translated, leftOut } = on;
    translated("→ AGENT.md");
    noteOthers(source, { known: [], on });
    const lines = body.split("\n");
    const index = lines.findIndex((line) => IMPORT.test(line));
    if (index !== -1) leftOut(`files that it takes in with @, such as ${lines[index]?.trim().slice(0, 80)}`);
    return { body, notes };
  });
  if (found.length === 0) return { notes: [] };
  const text = found.map(({ body }) => `${body}\n`).join("\n");
  const notes = found.flatMap(({ notes: own }) => own);
  const [path = ""] = paths.filter(isFile);
  const isLong = Buffer.byteLength(text) > SENT;
  const long: ImportNote = { kind: "left out", file: path, text: `what follows the first ${SENT} bytes of AGENT.md` };
  return { text, notes: isLong ? [...notes, long] : notes };
}
