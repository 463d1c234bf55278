import { headOf } from "../tools/text-limit.ts";

/** Characters kept of a line. */
const LINE_LIMIT = 2_000;

/** Reads an output to its end and gives its lines, each cut to 2,000 characters; never rejects, never falls behind. */
export async function outputLines(output: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let unfinished = "";
  try {
    for await (const bytes of output) {
      const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
      unfinished = headOf(lines.pop() ?? "", LINE_LIMIT);
      for (const line of lines) onLine(headOf(line, LINE_LIMIT));
    }
  } catch {
    // The process was killed while it wrote.
  }
  if (unfinished !== "") onLine(unfinished);
}
