import type { CommandContext } from "../command-context.ts";
import type { AgentRun } from "../opening/agent-run.ts";
import { chooseSession } from "../opening/choose-session.ts";
import { openRun, readTrusted } from "../opening/open-run.ts";
import { createInteractiveSession } from "../terminal/index.ts";

/** A conversation on the terminal; gives the exit code. */
export async function converse(given: AgentRun, context: CommandContext): Promise<number> {
  const directory = await readTrusted(given, context, context.interruption.listen());
  const chosen = chooseSession(given, directory);
  const run = chosen === undefined ? given : { ...given, session: chosen };
  context.interruption.release();
  const session = createInteractiveSession();
  const { onWarning, onBackgroundEvent } = session;
  const agent = await openRun(run, directory, { context, onWarning, onBackgroundEvent, wakes: true });
  try {
    await context.stderr.flush();
    return await session.run({
      agent,
      ...(run.isEphemeral ? {} : { agentDir: directory.path }),
      resumes: run.isResumed,
      skills: directory.definition.skills,
      session: run.session ?? "main",
      environment: context.environment,
    });
  } finally {
    await agent.close();
  }
}
