import { NEW_SESSION } from "@mdx-ai/directory";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

/** Throws `UsageError` if the options about sessions contradict each other. */
export function checkSessionWords({ values, switches }: ParsedArguments): void {
  const session = values.get("session");
  const named = [
    ...(session === undefined ? [] : ["--session"]),
    ...(switches.has("continue") ? ["--continue"] : []),
    ...(switches.has("resume") ? ["--resume"] : []),
    ...(switches.has("wait") ? ["--wait"] : []),
  ];
  if (switches.has("ephemeral") && named.length > 0) {
    throw new UsageError(`--ephemeral keeps no session, so ${named[0]} has no effect; leave one out`);
  }
  if (session === undefined) return;
  if (switches.has("continue")) throw new UsageError("--session and --continue name two sessions; leave one out");
  if (session === NEW_SESSION && switches.has("resume")) {
    throw new UsageError("a new session has nothing to resume; name another one with --session ID");
  }
}
