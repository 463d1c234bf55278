import { errorMessage } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import { AgentClosedError, type Session } from "@mdx-ai/runtime";
import { unfinishedSessions } from "@mdx-ai/sessions";

/**
 * Continues the prompts that an earlier process left unfinished, each session beside the others. Leaves untrusted sessions and those
 * that another process uses. Resolves when the prompts are under way. Never rejects.
 */
export async function resumeUnfinished(
  { agent, dataDirectory }: Pick<OpenDirectory, "agent" | "dataDirectory">,
  onWarning: (message: string) => void,
): Promise<void> {
  for (const id of unfinishedSessions(dataDirectory)) {
    const session = agent.session(id);
    try {
      const pending = await session.pendingPrompts();
      if (pending.some(({ isUntrusted }) => isUntrusted))
        onWarning(`session ${id} is untrusted, so its prompts are not resumed`);
      else if (pending.length > 0) resumeInBackground(session, onWarning);
    } catch (error) {
      onWarning(`session ${id} cannot be resumed: ${errorMessage(error)}`);
    }
  }
}

/** Resumes the unfinished prompts of a session. Their events are read elsewhere. */
export function resumeInBackground(session: Session, onWarning: (message: string) => void): void {
  const run = async (): Promise<void> => {
    for await (const _ of session.resume());
  };
  run().catch((error: unknown) => {
    if (!(error instanceof AgentClosedError))
      onWarning(`session ${session.id} was not resumed: ${errorMessage(error)}`);
  });
}
