import type { Agent, AttachedProcess } from "@mdx-ai/runtime";

/** What a terminal or another program sends to this process, and the command is to get. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a command where the shell of an agent runs, and returns its exit code. The command is in a session of its own, so that it
 * cannot type into the terminal; signals, such as those of Ctrl+C and Ctrl+Z, are handed to it.
 */
export async function runAttached(agent: Agent, command: readonly string[]): Promise<number> {
  const attached = await agent.attachCommand(command);
  const forget = forwardSignals(attached);
  try {
    return await attached.exited;
  } finally {
    forget();
  }
}

function forwardSignals(attached: AttachedProcess): () => void {
  const forwards = FORWARDED.map((name) => ({ name, forward: () => attached.signal(name) }));
  // The kernel ignores SIGTSTP in a session that has no terminal.
  const stop = (): void => {
    attached.signal("SIGSTOP");
    process.kill(process.pid, "SIGSTOP");
  };
  for (const { name, forward } of forwards) process.on(name, forward);
  process.on("SIGTSTP", stop);
  return () => {
    for (const { name, forward } of forwards) process.off(name, forward);
    process.off("SIGTSTP", stop);
  };
}
