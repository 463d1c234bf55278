import type { OpenDirectory } from "@mdx-ai/directory";
import type { Session } from "@mdx-ai/runtime";
import { fileStore, SessionExistsError } from "@mdx-ai/sessions";

/**
 * Forks a session at a prompt, or at the last one, under the first of `ID-fork`, `ID-fork-2`, … that no session has; resolves to that
 * id. Rejects as `Session.fork` does.
 */
export async function forkSession(
  { dataDirectory }: OpenDirectory,
  session: Session,
  prompt: number | undefined,
): Promise<string> {
  const store = fileStore({ dataDirectory });
  for (let number = 1; ; number++) {
    const id = `${session.id}-fork${number === 1 ? "" : `-${number}`}`;
    if (store.has(id)) continue;
    try {
      await session.fork(id, prompt);
      return id;
    } catch (error) {
      // Another request was faster.
      if (!(error instanceof SessionExistsError)) throw error;
    }
  }
}
