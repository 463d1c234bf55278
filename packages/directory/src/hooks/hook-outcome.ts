import { isRecord, jsonValue } from "@mdx-ai/base";
import type { HookEventName } from "@mdx-ai/parser";
import type { HookCommandEnd } from "@mdx-ai/runtime";
import { plainLine } from "../text.ts";

/** What a hook wants. */
export interface HookOutcome {
  /** The reason for a denial: of the prompt, the call, the question, or the end of the prompt. */
  readonly denied?: string;
  /** A text for the model. */
  readonly context?: string;
  /** A line for the user. */
  readonly warning?: string;
}

/** Events whose plain output is a text for the model. */
const TALKING: readonly HookEventName[] = ["SessionStart", "UserPromptSubmit"];

/** Events whose hooks are asked before something happens, which does not happen if a hook could not start. */
const GUARDING: readonly HookEventName[] = ["PreToolUse", "UserPromptSubmit"];

/** Reads how a hook ended: exit code 2 denies with what is on standard error, and other codes than 0 are shown and deny nothing. */
export function hookOutcome(
  event: HookEventName,
  command: string,
  { exitCode, hasStarted, stdout, stderr }: HookCommandEnd,
): HookOutcome {
  const why = stderr.trim();
  if (!hasStarted) {
    const warning = `it could not start: ${why}`;
    return GUARDING.includes(event)
      ? { warning, denied: `the hook ${plainLine(command)} could not start: ${why}` }
      : { warning };
  }
  if (exitCode === 2) return { denied: why || `the hook ${command} says no` };
  if (exitCode !== 0) {
    const end = exitCode === undefined ? "it did not end by itself" : `exit code ${exitCode}`;
    return { warning: why === "" ? end : `${end}: ${why}` };
  }
  const said = stdout.trim();
  const json = said.startsWith("{") ? jsonValue(said) : undefined;
  if (isRecord(json)) return jsonOutcome(json);
  return said !== "" && TALKING.includes(event) ? { context: said } : {};
}

function jsonOutcome(json: Readonly<Record<string, unknown>>): HookOutcome {
  const { hookSpecificOutput, systemMessage } = json;
  const specific = isRecord(hookSpecificOutput) ? hookSpecificOutput : {};
  const denied = denialIn(json, specific);
  const context = textOf(specific["additionalContext"]);
  const warning = textOf(systemMessage);
  return {
    ...(denied !== undefined && { denied }),
    ...(context !== undefined && { context }),
    ...(warning !== undefined && { warning }),
  };
}

/** A permission that a hook grants has no effect: only the user's settings and answers allow something. */
function denialIn(
  { decision, reason, continue: continues, stopReason }: Readonly<Record<string, unknown>>,
  { permissionDecision, permissionDecisionReason, decision: answer }: Readonly<Record<string, unknown>>,
): string | undefined {
  const said = isRecord(answer) ? answer : {};
  if (permissionDecision === "deny") return textOf(permissionDecisionReason) ?? NO_REASON;
  if (said["behavior"] === "deny") return textOf(said["message"]) ?? NO_REASON;
  if (decision === "block" || decision === "deny") return textOf(reason) ?? NO_REASON;
  return continues === false ? (textOf(stopReason) ?? NO_REASON) : undefined;
}

const NO_REASON = "a hook says no";

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
