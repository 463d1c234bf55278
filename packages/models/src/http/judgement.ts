import { contextExceeded, type ModelErrorDetails } from "../errors.ts";
import { saysFullWindow } from "./full-window.ts";
import { NO_REASON } from "./stated-problem.ts";
import { askedWait, type WaitSources } from "./waits.ts";

/** Longer waits are left to the user. Milliseconds. */
export const longestWait = 60_000;

/** Statuses for which a retry is useless. */
const finalStatuses: readonly number[] = [400, 401, 402, 403, 404, 413];

/** Statuses of requests that may be too long for the model. */
const overflowStatuses: readonly number[] = [400, 413, 422, 500];

/** Statuses of busy servers; their messages may say how long to wait. */
const busyStatuses: readonly number[] = [429, 503, 529];

/** Statuses that some servers also use for rate limits. */
const misusedStatuses: readonly number[] = [400, 403];

/** Messages for which waiting does not help: the account is out of credit. */
const spent =
  /spend_limit_reached|insufficient_quota|exceeded_current_quota|credit balance|insufficient (?:account )?(?:balance|credits?|funds)|out of (?:credits?|budget)|not enough credits|billing_\w+|account (?:is )?(?:suspended|deactivated|in arrears)|monthly (?:usage |spend(?:ing)? )?limit|regain access|余额不足|欠费/i;

/** Messages that may mean the same, but that some servers use for rate limits. */
const maybeSpent = /\bbilling\b|\bquota\b|\bplan\b/i;

/** A rate limit, which is temporary. */
const pace = /per[ _-]?(?:second|minute)|\b[rt]p[ms]\b|rate.?limit|too many requests|RetryInfo/i;

type Sources = Omit<WaitSources, "isLimit">;

/** The known facts about a refusal. */
interface Judged extends Sources {
  readonly status: number;
  readonly kind?: string;
}

/** Whether and when a retry may succeed. A server's statement is usually right. */
export function judge({ status, kind, ...sources }: Judged): ModelErrorDetails {
  const known = { status, ...(kind !== undefined && { kind }) };
  if (saysFailedCall(sources.said)) return { ...known, isTransient: true };
  if (isFullWindow(status, sources.said)) return { ...known, kind: contextExceeded, isTransient: false };
  const isPace = misusedStatuses.includes(status) && pace.test(sources.said);
  const wait = waitOf(status, sources, isPace);
  const details = wait === undefined ? known : { ...known, retryAfter: wait };
  const advised = sources.headers.get("x-should-retry");
  const mayPass = isPace && wait !== undefined;
  if (isFinal(status, sources, wait, mayPass) || advised === "false") return { ...details, isTransient: false };
  return advised === "true" || mayPass ? { ...details, isTransient: true } : details;
}

/** A proxy may refuse a large body without a message. */
const isFullWindow = (status: number, said: string): boolean =>
  (status === 413 && said === NO_REASON) || (overflowStatuses.includes(status) && saysFullWindow(said));

function waitOf(status: number, { headers, body, said }: Sources, isPace: boolean): number | undefined {
  const isBusy = busyStatuses.includes(status) || isPace;
  return askedWait({ headers, body, said: isBusy ? said : "", isLimit: status === 429 || isPace }, Date.now());
}

function isFinal(status: number, sources: Sources, wait: number | undefined, mayPass: boolean): boolean {
  const isSpent = status === 429 && saysSpent(sources, wait);
  return (finalStatuses.includes(status) && !mayPass) || isSpent || (wait ?? 0) > longestWait;
}

/** Whether a failure's message says that the account is out of credit. */
export const saysSpentMoney = (said: string): boolean => spent.test(said);

/** A rate limit that mentions billing, or states a short wait, does not mean an account without credit. */
function saysSpent({ said, body }: Pick<WaitSources, "said" | "body">, wait: number | undefined): boolean {
  if (saysSpentMoney(said)) return true;
  if (!maybeSpent.test(said)) return false;
  return wait === undefined && !pace.test(said) && !pace.test(JSON.stringify(body) ?? "");
}

/** Kinds of mid-stream failures for which a retry is useless. */
const finalKinds = /invalid|auth|permission|billing|not_found|too_large|quota|spend_limit|policy|image|mismatch/i;

/** Whether the names of a mid-stream failure mean that a retry is useless. */
export const saysFinal = (names: string): boolean => finalKinds.test(names);

/** Messages about a call by the model that the server could not parse; a retry may succeed. */
const failedCall =
  /tool_use_failed|output_parse_failed|tool.?call.?(?:validation|parsing) failed|failed to call a (?:function|tool)|(?:failed|unable) to parse (?:the )?(?:tool|function).?call|error parsing (?:the )?(?:tool|function).?call|malformed.?(?:function|tool).?call|(?:generated|produced|returned) an? (?:invalid|malformed|unparsable) (?:tool|function)|could not parse (?:the )?(?:tool|function).?call|generated output that could not be parsed|failed_generation/i;

/** Whether a failure's message says that the model's call could not be parsed. */
export const saysFailedCall = (said: string): boolean => failedCall.test(said);
