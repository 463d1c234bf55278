import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "@mdx-ai/base";

/** Milliseconds. */
const PAUSE = 100;

/** To load a module, whose failure may have another reason. */
const MAX_ATTEMPTS = 20;

/** What happens meanwhile, for the user. */
export const WAITING = "cannot be opened while too many files and connections are open; waiting";

/**
 * Runs `open`, and again for as long as it fails because connections have taken all file descriptors: silent ones are closed after a
 * while. Calls `onWait` once before it waits. Rejects with any other failure of `open`, and as soon as `signal` fires.
 */
export async function whenFilesAreFree<T>(
  open: () => Promise<T>,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await open();
    } catch (error) {
      if (!(isShortage(error) || hasNoneLeft() || (isOfModule(error) && attempts < MAX_ATTEMPTS))) throw error;
      if (attempts === 1) onWait();
      do await sleep(PAUSE, undefined, { signal });
      while (hasNoneLeft());
    }
  }
}

const CODES: readonly string[] = ["EMFILE", "ENFILE"];

/** From source, a module that cannot be read fails with the code in its text alone. */
const isShortage = (error: unknown): boolean =>
  CODES.includes(errorCode(error) ?? "") || (isOfModule(error) && CODES.some((code) => error.message.startsWith(code)));

const isOfModule = (error: unknown): error is Error =>
  error instanceof Error && ["BuildMessage", "ResolveMessage"].includes(error.name);

/** A failure may hide its cause, such as that of a module which could not be loaded. */
function hasNoneLeft(): boolean {
  try {
    closeSync(openSync("/dev/null", "r"));
    return false;
  } catch (error) {
    return isShortage(error);
  }
}
