import { join } from "node:path";
import { readSmallFile, replaceFileSync } from "@mdx-ai/base/disk";
import { sessionFolder } from "./session-folder.ts";

/** The file in a session's folder with the model that the user chose for its next prompts. */
const MODEL_FILE = "model";

/** Bytes; longer than any reference. */
const MAX_LENGTH = 4096;

/** The reference of the model that was chosen for a session; undefined if there is none. Untrusted. Throws `SessionIdError` or `UnknownSessionError`. */
export function sessionModel(dataDir: string, id: string): string | undefined {
  const reference = readSmallFile(join(sessionFolder(dataDir, id), MODEL_FILE), MAX_LENGTH)?.trim();
  return reference === "" ? undefined : reference;
}

/** Keeps the choice of a model, also without a prompt. Throws as `sessionModel` does, or the file system's error. */
export function keepSessionModel(dataDir: string, id: string, reference: string): void {
  replaceFileSync({ path: join(sessionFolder(dataDir, id), MODEL_FILE), text: `${reference}\n` });
}
