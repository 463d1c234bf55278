import { defined, recordOf, sha256 } from "@mdx-ai/base";
import { contentText, type Question } from "@mdx-ai/loop";
import type { UserMessage } from "@mdx-ai/models";

import { AnswerError, answerOf, type JournalLine } from "@mdx-ai/sessions";
import {
  handlers,
  InvocationIdParser,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  type SignalReference,
  serde,
  type VirtualObjectDefinition,
} from "@restatedev/restate-sdk";
import {
  type AddedLines,
  type AnswerOutcome,
  type ControllerState,
  type GivenAnswer,
  IDLE,
  isControllerState,
  isSessionInfo,
  type RunningPrompt,
  type SessionInfo,
  type SessionState,
  type Submission,
  serviceNames,
  type TurnEnd,
  type TurnInput,
} from "./protocol.ts";
import { plainJson } from "./redacted-json.ts";
import { type PromptMessage, SIGNALS } from "./signals.ts";

/** How many ids of prompts, and of answered questions, a session remembers. */
const MAX_KNOWN = 64;

/**
 * The controller of a session: its queue, steering, questions and cancelling. Its handlers hold its lock for milliseconds and never wait for
 * a turn.
 */
export function controllerObject(
  agent: string,
  metadata: Record<string, string>,
): VirtualObjectDefinition<string, unknown> {
  const names = serviceNames(agent);
  const { exclusive, shared } = handlers.object;
  return object({
    name: names.controller,
    metadata,
    handlers: {
      create: exclusive(async (context: ObjectContext, info: SessionInfo): Promise<boolean> => {
        if ((await infoOf(context)) !== undefined) return false;
        context.set("info", info);
        context.set("state", { ...(await stateOf(context)), key: info.key });
        return true;
      }),
      retitle: exclusive(async (context: ObjectContext, title: string): Promise<void> => {
        const info = await infoOf(context);
        if (info) context.set("info", { ...info, title });
      }),
      state: shared({ enableLazyState: false }, async (context: ObjectSharedContext): Promise<SessionState> => {
        const info = await infoOf(context);
        return { ...defined({ info }), state: await stateOf(context) };
      }),
      submit: exclusive(async (context: ObjectContext, input: Submission): Promise<"accepted" | "known" | "other"> => {
        const [state, known] = [await existing(context), await knownPrompts(context)];
        const hash = inputHash(input);
        const before = known[input.id];
        if (before !== undefined) return before === hash ? "known" : "other";
        // Forgets the oldest ids.
        context.set("known", Object.fromEntries([...Object.entries(known), [input.id, hash]].slice(-MAX_KNOWN)));
        await put(context, names.session, { ...state, queue: [...state.queue, input] });
        return "accepted";
      }),
      knows: shared(async (context: ObjectSharedContext, id: string): Promise<boolean> => {
        return id in (await knownPrompts(context));
      }),
      steer: exclusive(async (context: ObjectContext, messages: readonly UserMessage[]): Promise<boolean> => {
        const state = await stateOf(context);
        const { running } = state;
        if (running === undefined) return false;
        for (const [index, steer] of messages.entries())
          notify(context, running, { number: running.sent + index + 1, message: { steer } });
        const { sent, steering } = running;
        const received = { sent: sent + messages.length, steering: [...steering, ...messages] };
        context.set("state", { ...state, running: { ...running, ...received } });
        return true;
      }),
      cancel: exclusive(async (context: ObjectContext, id: string): Promise<boolean> => {
        const state = await stateOf(context);
        const { running, queue } = state;
        if (running?.id === id) {
          const sent = running.sent + 1;
          notify(context, running, { number: sent, message: { cancel: true } });
          context.set("state", { ...state, questions: {}, running: { ...running, sent } });
          return true;
        }
        context.set("state", { ...state, queue: queue.filter((input) => input.id !== id) });
        return queue.some((input) => input.id === id);
      }),
      asked: exclusive(async (context: ObjectContext, question: Question): Promise<void> => {
        const state = await stateOf(context);
        context.set("state", { ...state, questions: { ...state.questions, [question.id]: question } });
        if (question.deadline === undefined) return;
        const delay = Math.max(0, question.deadline - (await context.date.now()));
        const late: GivenAnswer = { id: question.id, words: "no", by: "deadline" };
        send(context, { service: names.controller, method: "answer", parameter: late, delay });
      }),
      answer: exclusive(async (context: ObjectContext, given: GivenAnswer): Promise<AnswerOutcome> => {
        const state = await stateOf(context);
        const { running, questions, answered } = state;
        const { [given.id]: question, ...others } = questions;
        if (question === undefined || running === undefined)
          return answered.includes(given.id)
            ? { outcome: "late" }
            : { outcome: "unknown", open: Object.keys(questions) };
        try {
          const answer = answerOf(question, given.words, given);
          signal(context, running, SIGNALS.answer(given.id)).resolve(answer);
        } catch (error) {
          if (!(error instanceof AnswerError)) throw error;
          return { outcome: "refused", message: error.message };
        }
        context.set("state", { ...state, questions: others, answered: [...answered, given.id].slice(-MAX_KNOWN) });
        return { outcome: "answered" };
      }),
      append: exclusive(async (context: ObjectContext, lines: readonly JournalLine[]): Promise<boolean> => {
        const state = await stateOf(context);
        if (isBusy(state)) return false;
        const { next = 0 } = state;
        const parameter: AddedLines = { chunk: next, lines };
        await call(context, { service: names.session, method: "append", parameter });
        context.set("state", { ...state, next: next + 1 });
        return true;
      }),
      ended: exclusive(async (context: ObjectContext, { id, steered, next }: TurnEnd): Promise<void> => {
        const { running, ...state } = await stateOf(context);
        if (running?.id !== id) return;
        // What the turn has not received runs next.
        const late = running.steering.slice(steered).map((message, index): Submission => {
          const text = contentText(message.content);
          return { id: `${id}/${steered + index + 1}`, text };
        });
        const queue = [...late, ...state.queue];
        await put(context, names.session, { ...state, next, queue, questions: {} });
      }),
      remove: exclusive(async (context: ObjectContext): Promise<boolean> => {
        if (isBusy(await stateOf(context))) return false;
        context.clearAll();
        await call(context, { service: names.session, method: "remove", parameter: null });
        return true;
      }),
    },
    options: { journalRetention: 0, idempotencyRetention: 0 },
  });
}

async function stateOf(context: ObjectSharedContext): Promise<ControllerState> {
  const state = await context.get<unknown>("state");
  return isControllerState(state) ? state : IDLE;
}

/** Whether a prompt runs or waits. The object of a session that is not busy answers at once. */
const isBusy = ({ running, queue }: ControllerState): boolean => running !== undefined || queue.length > 0;

/** The state of a session, which is made if it does not exist. */
async function existing(context: ObjectContext): Promise<ControllerState> {
  const state = await stateOf(context);
  if (state.key !== undefined) return state;
  const info: SessionInfo = { key: context.rand.uuidv4(), created: await context.date.now() };
  context.set("info", info);
  return { ...state, key: info.key };
}

/** The newest prompts by id, each with a hash of its input. */
async function knownPrompts(context: ObjectSharedContext): Promise<Readonly<Record<string, unknown>>> {
  return recordOf(await context.get<unknown>("known"));
}

async function infoOf(context: ObjectSharedContext): Promise<SessionInfo | undefined> {
  const info = await context.get<unknown>("info");
  return isSessionInfo(info) ? info : undefined;
}

/** Stores a state, and starts the next prompt if none runs. */
async function put(context: ObjectContext, session: string, state: ControllerState): Promise<void> {
  const [next, ...queue] = state.queue;
  if (state.running !== undefined || next === undefined) {
    context.set("state", state);
    return;
  }
  const parameter: TurnInput = { ...next, key: state.key ?? "", first: state.next ?? 0 };
  const { invocationId } = send(context, { service: session, method: "run", parameter });
  context.set("state", {
    ...state,
    queue,
    running: { ...next, invocation: await invocationId, sent: 0, steering: [] },
  });
}

/** A signal of the invocation that runs a prompt. */
const signal = (context: ObjectContext, { invocation }: RunningPrompt, name: string): SignalReference<unknown> =>
  context.invocation(InvocationIdParser.fromString(invocation)).signal<unknown>(name);

interface Numbered {
  readonly number: number;
  readonly message: PromptMessage;
}

const notify = (context: ObjectContext, running: RunningPrompt, { number, message }: Numbered): void =>
  signal(context, running, SIGNALS.message(number)).resolve(message);

interface Sent {
  readonly service: string;
  readonly method: string;
  readonly parameter: unknown;
  readonly delay?: number;
}

/** Calls an object with the same key, which returns nothing. */
const call = (context: ObjectContext, { service, method, parameter }: Sent): Promise<void> =>
  context.genericCall({
    ...{ service, method, parameter, key: context.key },
    inputSerde: plainJson,
    outputSerde: serde.empty,
  });

/** Sends a message to an object with the same key. */
const send = (context: ObjectContext, message: Sent): ReturnType<ObjectContext["genericSend"]> =>
  context.genericSend({ ...message, key: context.key, inputSerde: plainJson });

const inputHash = ({ text, images = [] }: Submission): string => sha256(JSON.stringify([text, images])).slice(0, 16);
