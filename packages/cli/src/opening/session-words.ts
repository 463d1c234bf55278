import type { ParsedArguments } from "../arguments/command-spec.ts";
import { UsageError } from "../failures/usage-error.ts";

/** The word that stands for a session that is to be made. */
export const NEW_SESSION = "new";

/** Throws `UsageError` where the words on sessions contradict each other. */
export function checkSessionWords({ values, switches }: ParsedArguments): void {
  const session = values.get("session");
  const named = [
    ...(session === undefined ? [] : ["--session"]),
    ...(switches.has("continue") ? ["--continue"] : []),
    ...(switches.has("resume") ? ["--resume"] : []),
    ...(switches.has("wait") ? ["--wait"] : []),
  ];
  if (switches.has("ephemeral") && named.length > 0) {
    throw new UsageError(`--ephemeral keeps no session, so that ${named[0]} has no meaning beside it; leave one out`);
  }
  if (session === undefined) return;
  if (switches.has("continue")) throw new UsageError("--session and --continue name two sessions; leave one out");
  if (session === NEW_SESSION && switches.has("resume")) {
    throw new UsageError("in a new session nothing can be resumed; name the one that is meant with --session ID");
  }
}
