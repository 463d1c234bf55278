import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import {
  type SessionsVerification,
  type SessionVerification,
  type Verification,
  verifySessions,
} from "@mdx-ai/sessions";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { SessionsRun } from "./list-sessions.ts";

/**
 * Checks sessions and, without `--check`, repairs them where possible. Returns exit code 1 if problems remain. Rejects as the runtime's
 * `verifySessions` does.
 */
export async function verify({ dataDir, words: [id], args, context }: SessionsRun): Promise<number> {
  const isCheck = args.switches.has("check");
  const verification = await verifySessions(dataDir, { id, now: Date.now(), isCheck, redactor: context.keys });
  const isJson = args.switches.has("json");
  if (isJson) context.stdout.write(`${jsonText(verification, 2)}\n`);
  else if (verification.sessions.length === 0 && isGood(verification.folder)) {
    context.stderr.write("There is no session yet.\n");
  } else context.stdout.write(verifyText(verification, isCheck));
  return [verification.folder, ...verification.sessions].every(isGood) ? EXIT_CODE.done : EXIT_CODE.failed;
}

const isGood = ({ state }: Verification): boolean => state === "ok" || state === "repaired";

/** One line per session, after the damage of the sessions folder. */
function verifyText({ sessions, folder }: SessionsVerification, isCheck: boolean): string {
  const about = folder.state === "ok" ? [] : [lineOf("sessions/", folder, { facts: [], isTried: !isCheck })];
  return [...about, ...sessions.map((session) => sessionLine(session, isCheck))].map((line) => `${line}\n`).join("");
}

function sessionLine(session: SessionVerification, isCheck: boolean): string {
  const { id, prompts, isUnfinished, holder, kept } = session;
  const facts = [
    counted(prompts, "prompt"),
    ...(isUnfinished ? ["the last one unfinished"] : []),
    ...(holder === undefined ? [] : [`only checked, since it is in use by ${holder}`]),
    ...(kept.length > 0 ? [`the damaged parts are kept as ${kept.join(" and ")}`] : []),
  ];
  return lineOf(id, session, { facts, isTried: !isCheck && holder === undefined });
}

interface LineParts {
  readonly facts: readonly string[];
  /** Whether a repair was attempted. */
  readonly isTried: boolean;
}

function lineOf(name: string, { state, found, left }: Verification, { facts, isTried }: LineParts): string {
  const repaired = found.filter((text) => !left.includes(text));
  const notRepaired = left.map((text) => (isTried && state === "broken" ? `not repaired: ${text}` : text));
  return plainLine(`${name}: ${[[state, ...facts].join(", "), ...repaired, ...notRepaired].join("; ")}`);
}
