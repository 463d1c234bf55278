import type { SessionsVerification, SessionVerification, Verification } from "@mdx-ai/runtime";
import { counted } from "../counted.ts";
import { plainLine } from "../plain-text.ts";

/** What came of verifying, one line a session; what is wrong with the folder of sessions comes first. */
export function verifyText({ sessions, folder }: SessionsVerification): string {
  const about = folder.state === "ok" ? [] : [lineOf("sessions/", folder, [])];
  return [...about, ...sessions.map(sessionLine)].map((line) => `${line}\n`).join("");
}

function sessionLine(session: SessionVerification): string {
  const { id, prompts, isUnfinished, holder, kept } = session;
  return lineOf(id, session, [
    counted(prompts, "prompt"),
    ...(isUnfinished ? ["the last one unfinished"] : []),
    ...(holder === undefined ? [] : [`only looked at, since it is in use by ${holder}`]),
    ...(kept.length > 0 ? [`what was damaged is kept as ${kept.join(" and ")}`] : []),
  ]);
}

function lineOf(name: string, { state, found, left }: Verification, facts: readonly string[]): string {
  const repaired = found.filter((text) => !left.includes(text));
  const parts = [[state, ...facts].join(", "), ...repaired, ...left.map((text) => leftText(text, state))];
  return plainLine(`${name}: ${parts.join("; ")}`);
}

const leftText = (text: string, state: Verification["state"]): string =>
  state === "broken" ? `not repaired: ${text}` : text;
