import { type Verification, verifySessions } from "@mdx-ai/runtime";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { jsonText } from "../output/json-text.ts";
import { verifyText } from "./verify-text.ts";

/** Which sessions are verified. */
export interface Verifying {
  /** Absolute. */
  readonly dataDir: string;
  /** A session's id, or nothing for all of them. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/**
 * Checks sessions, and repairs what can be repaired unless `--check` is given. Gives the exit code: 1 where something is not
 * as it should be still. Rejects as `verifySessions` of the runtime does.
 */
export async function verify({ dataDir, words: [id], args, context }: Verifying): Promise<number> {
  const isCheck = args.switches.has("check");
  const verification = await verifySessions(dataDir, { id, now: Date.now(), isCheck, redactor: context.keys });
  const isJson = args.switches.has("json");
  if (isJson) context.stdout.write(`${jsonText(verification, 2)}\n`);
  else if (verification.sessions.length === 0 && isWell(verification.folder)) {
    context.stderr.write("There is no session yet.\n");
  } else context.stdout.write(verifyText(verification));
  return [verification.folder, ...verification.sessions].every(isWell) ? EXIT_CODE.done : EXIT_CODE.failed;
}

const isWell = ({ state }: Verification): boolean => state === "ok" || state === "repaired";
