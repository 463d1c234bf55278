import { contextExceeded, type ModelErrorDetails } from "../errors.ts";
import { saysFullWindow } from "./full-window.ts";
import { NO_REASON } from "./stated-problem.ts";
import { askedWait, type WaitSources } from "./waits.ts";

/** A wait beyond this is for the user to decide on. Milliseconds. */
export const longestWait = 60_000;

/** Statuses that the same request would meet again, whatever the server says of them. */
const finalStatuses: readonly number[] = [400, 401, 402, 403, 404, 413];

/** Statuses of requests that may be too long for the model. */
const overflowStatuses: readonly number[] = [400, 413, 422, 500];

/** Statuses of servers that are too busy: their words may say for how long. */
const busyStatuses: readonly number[] = [429, 503, 529];

/** Statuses with which some servers report a limit of pace, too. */
const misusedStatuses: readonly number[] = [400, 403];

/** What servers say if a wait will not help: the money is used up. */
const spent =
  /spend_limit_reached|insufficient_quota|exceeded_current_quota|credit balance|insufficient (?:account )?(?:balance|credits?|funds)|out of (?:credits?|budget)|not enough credits|billing_\w+|account (?:is )?(?:suspended|deactivated|in arrears)|monthly (?:usage |spend(?:ing)? )?limit|regain access|余额不足|欠费/i;

/** The same in words that some servers use for limits of pace, too. */
const maybeSpent = /\bbilling\b|\bquota\b|\bplan\b/i;

/** A limit on how fast one may ask, which passes. */
const pace = /per[ _-]?(?:second|minute)|\b[rt]p[ms]\b|rate.?limit|too many requests|RetryInfo/i;

type Sources = Omit<WaitSources, "isLimit">;

/** What is known of a refusal. */
interface Judged extends Sources {
  readonly status: number;
  readonly kind?: string;
}

/** Whether another attempt may succeed, and when. A server that says so itself is mostly right. */
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

/** A proxy that takes no body of this size may say nothing. */
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

/** Whether a failure's words say that the money is used up. */
export const saysSpentMoney = (said: string): boolean => spent.test(said);

/** A limit of pace that mentions billing, or says how short the wait is, is no spent account. */
function saysSpent({ said, body }: Pick<WaitSources, "said" | "body">, wait: number | undefined): boolean {
  if (saysSpentMoney(said)) return true;
  if (!maybeSpent.test(said)) return false;
  return wait === undefined && !pace.test(said) && !pace.test(JSON.stringify(body) ?? "");
}

/** Kinds of failures in mid-stream that the same request would meet again. */
const finalKinds = /invalid|auth|permission|billing|not_found|too_large|quota|spend_limit|policy|image|mismatch/i;

/** Whether the names of a failure in mid-stream say that the same request would meet it again. */
export const saysFinal = (names: string): boolean => finalKinds.test(names);

/** What servers say if the model wrote a call that they cannot read: it may do better when it is asked again. */
const failedCall =
  /tool_use_failed|output_parse_failed|tool.?call.?(?:validation|parsing) failed|failed to call a (?:function|tool)|(?:failed|unable) to parse (?:the )?(?:tool|function).?call|error parsing (?:the )?(?:tool|function).?call|malformed.?(?:function|tool).?call|(?:generated|produced|returned) an? (?:invalid|malformed|unparsable) (?:tool|function)|could not parse (?:the )?(?:tool|function).?call|generated output that could not be parsed|failed_generation/i;

/** Whether a failure's words say that the model wrote a call that nobody can read. */
export const saysFailedCall = (said: string): boolean => failedCall.test(said);
