import {
  type AgentRun,
  openTrusted,
  placeRun,
  readTrusted,
  type Surroundings,
  takeSession,
  waitForSession,
} from "@mdx-ai/directory";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { showDiagnostics } from "../output/diagnostics-text.ts";
import { createInteractiveSession } from "../terminal/interactive-session.ts";
import { openerOf } from "../trust/opener.ts";

/** A conversation on the terminal; returns the exit code. */
export async function converse(given: AgentRun, context: CommandContext): Promise<number> {
  const opener = openerOf(context, context.interruption.listen());
  const directory = await readTrusted(given, opener);
  const run = placeRun(given, directory, context);
  await waitForSession(run, opener);
  context.interruption.release();
  const session = createInteractiveSession();
  const { onBackgroundEvent, onApproval, onReload } = session;
  const onWarning = (message: string): void => session.onWarning(context.keys.text(message));
  const broken = (read: AgentDirectory): void =>
    onReload.broken(showDiagnostics(read, { surroundings: context, output: context.stdout }));
  const listeners = { onWarning, onBackgroundEvent, onApproval, wakes: true, onReload: { ...onReload, broken } };
  let isOpen = false;
  const surroundings: Surroundings = {
    ...context,
    // The terminal belongs to the conversation then: other output would break its layout.
    onNotice: (notice) => (isOpen && notice.type === "warning" ? onWarning(notice.text) : context.onNotice(notice)),
  };
  const open = await openTrusted(run, directory, { ...opener, ...listeners, surroundings });
  isOpen = true;
  try {
    if (run.isWaiting) {
      await takeSession(open.agent, run, { ...opener, signal: context.interruption.listen() });
      context.interruption.release();
    }
    await context.stderr.flush();
    return await session.run({
      agent: open.agent,
      ...(run.isEphemeral ? {} : { dataDir: run.data }),
      resumes: run.isResumed,
      get skills() {
        return open.directory.definition.skills;
      },
      get permissions() {
        const { settings } = open.directory.definition;
        return { directory: settings, user: open.permissions.permissions, sandbox: open.permissions.sandbox };
      },
      session: open.session,
      environment: context.environment,
    });
  } finally {
    await open.close();
  }
}
