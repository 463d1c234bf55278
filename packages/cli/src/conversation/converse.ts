import type { CommandContext } from "../command-context.ts";
import type { AgentRun } from "../opening/agent-run.ts";
import { chooseSession } from "../opening/choose-session.ts";
import { dataOfRun } from "../opening/data-directory.ts";
import { openRun, readTrusted } from "../opening/open-run.ts";
import { takeSession, waitForSession } from "../opening/wait-for-session.ts";
import { plainLine } from "../plain-text.ts";
import { Reloader } from "../reloading/reloader.ts";
import { runPermissions } from "../settings/run-permissions.ts";
import { createInteractiveSession } from "../terminal/index.ts";

/** A conversation on the terminal; gives the exit code. */
export async function converse(given: AgentRun, context: CommandContext): Promise<number> {
  const signal = context.interruption.listen();
  const directory = await readTrusted(given, context, signal);
  const data = dataOfRun(given, directory, context);
  const chosen = chooseSession(given, data);
  const run = { ...given, data, ...(chosen !== undefined && { session: chosen }) };
  const note = (message: string): void => context.stderr.write(`mdx-ai: ${plainLine(message)}\n`);
  const waiting = { dataDir: data, signal, note };
  await waitForSession(run, waiting);
  context.interruption.release();
  const session = createInteractiveSession();
  const { onBackgroundEvent, onApproval, onReload } = session;
  const onWarning = (message: string): void => session.onWarning(context.keys.text(message));
  const reloader = new Reloader({ run, directory, context, listener: onReload });
  const permitted = await runPermissions(run, directory, context);
  const listeners = {
    onWarning,
    onBackgroundEvent,
    onApproval,
    wakes: true,
    refresh: (stop: AbortSignal) => reloader.refresh(stop),
  };
  const agent = await openRun(run, directory, { context, permitted, ...listeners });
  try {
    if (run.isWaiting) {
      await takeSession(agent, run, { ...waiting, signal: context.interruption.listen() });
      context.interruption.release();
    }
    await context.stderr.flush();
    return await session.run({
      agent,
      ...(run.isEphemeral ? {} : { dataDir: data }),
      resumes: run.isResumed,
      get skills() {
        return reloader.directory.definition.skills;
      },
      get permissions() {
        const { settings } = reloader.directory.definition;
        return { directory: settings, user: permitted.permissions, sandbox: permitted.sandbox };
      },
      session: run.session ?? "main",
      environment: context.environment,
    });
  } finally {
    await agent.close();
  }
}
