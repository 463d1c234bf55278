import { makeSecret, randomSecret, readSecret, SharedFileError } from "@mdx-ai/runtime/files";

/**
 * The user's secret that marks the sessions of all agents, from a file that is made at its first use, readable by its owner
 * alone. If others may have written it, which is a warning, or if it cannot be made, a key of this process replaces it: what
 * earlier processes wrote is foreign then. Never throws.
 */
export function journalKey(file: string, onWarning: (message: string) => void): string {
  try {
    return readSecret(file) ?? makeSecret(file);
  } catch (error) {
    if (error instanceof SharedFileError) {
      onWarning(`your earlier sessions are not recognised as yours: ${error.message}`);
    }
    return randomSecret();
  }
}
