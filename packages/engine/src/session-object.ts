import { errorMessage, type Redactor } from "@mdx-ai/base";
import { HostEndedError, type HostedSession } from "@mdx-ai/runtime";
import { closingLines, isJournalLine, type JournalLine } from "@mdx-ai/sessions";
import {
  handlers,
  isRestatePromise,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  RestatePromise,
  RetryableError,
  type VirtualObjectDefinition,
} from "@restatedev/restate-sdk";
import type { OpenSessions } from "./open-sessions.ts";
import {
  type AddedLines,
  keyParts,
  type LineRange,
  type SessionLines,
  serviceNames,
  type TurnEnd,
  type TurnInput,
} from "./protocol.ts";
import { redactedJson } from "./redacted-json.ts";
import { RestateHost } from "./restate-host.ts";
import { type Attempts, MAX_STEP } from "./worker.ts";

/** What a worker does for the turns of sessions. */
export interface TurnServices {
  /** What runs the prompts of a session in this process. Rejects if its agent cannot be opened. */
  session(user: string | undefined, id: string): Promise<Pick<HostedSession, "run">>;
  /** The turn does not run here any more. */
  leave(user: string | undefined, id: string): void;
  /** Transcripts in memory. */
  readonly open: OpenSessions;
  /** Sends further input to a session. */
  deliver(user: string | undefined, id: string, text: string): Promise<void>;
  readonly attempts: Attempts;
  readonly redactor: Redactor;
  readonly onWarning: (message: string) => void;
}

/** The transcript of a session, and its turns: one at a time. */
export function sessionObject(
  agent: string,
  metadata: Record<string, string>,
  services: TurnServices,
): VirtualObjectDefinition<string, unknown> {
  const names = serviceNames(agent);
  const { exclusive, shared } = handlers.object;
  return object({
    name: names.session,
    metadata,
    handlers: {
      run: exclusive((context: ObjectContext, input: TurnInput) => runTurn(context, input, names.controller, services)),
      append: exclusive(async (context: ObjectContext, { chunk, lines }: AddedLines): Promise<void> => {
        context.set(chunkName(chunk), lines);
      }),
      lines: shared((context: ObjectSharedContext, range: LineRange) => linesIn(context, range)),
      remove: exclusive(async (context: ObjectContext): Promise<void> => context.clearAll()),
    },
    options: {
      enableLazyState: true,
      journalRetention: 0,
      idempotencyRetention: 0,
      inactivityTimeout: MAX_STEP,
      abortTimeout: MAX_STEP,
      retryPolicy: { initialInterval: 50, maxInterval: 10_000, exponentiationFactor: 2 },
    },
  });
}

const CHUNK = "c:";

const chunkName = (number: number): string => `${CHUNK}${number}`;

async function linesIn(
  context: ObjectSharedContext,
  { after, before = Number.POSITIVE_INFINITY }: LineRange,
): Promise<SessionLines> {
  const numbers = (await context.stateKeys())
    .flatMap((name) => (name.startsWith(CHUNK) ? [Number(name.slice(CHUNK.length))] : []))
    .filter((number) => number >= after && number < before)
    .sort((one, other) => one - other);
  if (numbers.length === 0) return { next: after, lines: [] };
  const reads = numbers.map((number) => context.get<unknown>(chunkName(number)));
  const chunks: readonly unknown[] = await RestatePromise.all(reads.filter(isRestatePromise));
  const lines = chunks.flatMap(linesOf);
  return { next: (numbers.at(-1) ?? after) + 1, lines };
}

const linesOf = (chunk: unknown): readonly JournalLine[] => (Array.isArray(chunk) ? chunk.filter(isJournalLine) : []);

/** A worker that cannot open an agent or a session leaves the turn to others. */
const opening = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((cause: unknown) => {
    throw new RetryableError(`the worker cannot open the session: ${errorMessage(cause)}`, { cause });
  });

async function runTurn(
  context: ObjectContext,
  input: TurnInput,
  controller: string,
  services: TurnServices,
): Promise<void> {
  const { user, session: id } = keyParts(context.key);
  const { attemptCompletedSignal: ended } = context.request();
  let chunk = input.first;
  const stored: JournalLine[] = [];
  const store = (news: readonly JournalLine[]): void => {
    stored.push(...news);
    context.set(chunkName(chunk++), news);
  };
  const inputSerde = redactedJson(services.redactor);
  const send = (method: string, parameter: unknown): void =>
    void context.genericSend({ service: controller, method, key: context.key, parameter, inputSerde });
  let host: RestateHost | undefined;
  try {
    const session = await opening(services.session(user, id));
    const { opened, journal } = await opening(services.open.take(context.key, { key: input.key, next: input.first }));
    await session.run(opened, {
      id: input.id,
      input: input.text,
      ...(input.images && { images: input.images }),
      ...(input.typed !== undefined && { typed: input.typed }),
      ...(input.model !== undefined && { reference: input.model }),
      ...(input.limits && { limits: input.limits }),
      signal: new AbortController().signal,
      deliver: (text) => services.deliver(user, id, text),
      hostOf: (options) => {
        host = new RestateHost({
          ...options,
          ...{ context, ended, journal, store, redactor: services.redactor },
          ask: (question) => send("asked", question),
          suspend: () => services.attempts.suspend(context),
        });
        return host;
      },
    });
    host?.flush();
    services.open.keep(context.key, { opened, journal, next: chunk });
  } catch (error) {
    // Another attempt continues.
    if (error instanceof RetryableError) throw error;
    if (error instanceof HostEndedError || ended.aborted) throw new RetryableError("the attempt has ended");
    services.onWarning(`prompt ${input.id} of session ${id} failed: ${String(error)}`);
    host?.flush();
    if (stored.length > 0) store(closingLines(stored, await context.date.now()));
  } finally {
    services.leave(user, id);
  }
  host?.flush();
  const end: TurnEnd = { id: input.id, steered: host?.steered ?? 0, next: chunk };
  send("ended", end);
}
