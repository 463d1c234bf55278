import { lookAtLines } from "../session/look-at-lines.ts";
import { sessionFolder } from "../session/session-folder.ts";
import { SEGMENT_STEP } from "../step-names.ts";

/**
 * A session as one recording: the lines of all its journals, one JSON a line, without those that only repeat what older
 * journals came to. Takes no lock. Throws `SessionIdError`, `UnknownSessionError` or `JournalError`.
 */
export const recordingText = (dataDir: string, session: string): string =>
  lookAtLines(sessionFolder(dataDir, session))
    .filter(({ prompt, step }) => prompt !== 0 || step !== SEGMENT_STEP)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
