import { defined, type UnknownRecord } from "@mdx-ai/base";
import type { AssistantMessage, Cost, Message, StopReason, UserMessage } from "@mdx-ai/models";
import { typedText } from "@mdx-ai/models/typed-words";
import { Asking, answerTurn } from "./answer-turn.ts";
import { answerText, contentText, moduleMessage } from "./content-text.ts";
import { emptiness } from "./empty-answer.ts";
import { NumberedEvents } from "./event-numbers.ts";
import type { Host, StepContext } from "./host.ts";
import { Budget, isPast, type Progress, RepeatWatch } from "./limits.ts";
import type { PromptEnd } from "./plan.ts";
import type { PromptEffects, PromptRun } from "./prompt-effects.ts";
import { endOf } from "./retry.ts";
import { runCalls } from "./run-calls.ts";
import type { AddedContext } from "./step-results.ts";
import { STEPS } from "./steps.ts";
import type { Conversation } from "./types/compaction.ts";
import type { PromptOutcome } from "./types/event.ts";
import type { ReachedLimit } from "./types/limit.ts";

/**
 * Runs one prompt: asks the model, runs the tools that it calls, and repeats until it calls none. Appends to the conversation.
 * Events are pi-agent-core's, with a few more. Resolves to usage and cost. Rejects only if the host
 * cannot store a step.
 */
export async function runPrompt(
  host: Host,
  effects: PromptEffects,
  { prompt: number, conversation }: PromptPosition,
): Promise<Cost> {
  const before = conversation.messages.length;
  const events = new NumberedEvents(number, host);
  const { id, input, plan } = await host.step(STEPS.begin.name(), () => effects.begin(), {
    accepts: STEPS.begin.accepts,
    effect: "none",
  });
  events.emit({ type: "agent_start", promptId: id });
  const run: PromptRun = { prompt: number, host, events, plan, effects };
  const prompt = new RunningPrompt(run, conversation);
  const { denied, ...ending } = await prompt.turns(input);
  // The words of a denied prompt reach no model, also later.
  if (denied !== undefined) conversation.messages.length = before;
  const messages = conversation.messages.slice(before);
  const { cost } = prompt.asking;
  const end = await endPrompt(run, ending, messages);
  if (end.limit) events.emit({ type: "limit_reached", ...end.limit });
  const { outcome, pendingInput = [] } = end;
  events.emit({
    type: "agent_end",
    messages,
    outcome,
    cost,
    ...defined({ denied }),
    ...(pendingInput.length > 0 && { pendingInput }),
  });
  return cost;
}

/** A prompt in its session. */
export interface PromptPosition {
  /** Its number, from 1. */
  readonly prompt: number;
  /** The messages before it; the loop appends to it. */
  readonly conversation: Conversation;
}

/** How the turns of a prompt ended. */
interface Ending {
  readonly outcome: PromptOutcome;
  readonly limit?: ReachedLimit;
  /** Why a module denies the prompt. */
  readonly denied?: string;
}

async function endPrompt(run: PromptRun, ending: Ending, messages: readonly Message[]): Promise<PromptEnd> {
  const { host, plan, effects } = run;
  if (plan.hooks?.includes("afterPrompt")) {
    const report = async (): Promise<UnknownRecord> => {
      await effects.hooks.afterPrompt({
        outcome: ending.outcome,
        text: answerText(messages),
        ...hookedMessages(messages),
      });
      return {};
    };
    await host.step(STEPS.afterPrompt.name(), report, { accepts: STEPS.afterPrompt.accepts, effect: "outside" });
  }
  const pendingInput = await host.inbox.close();
  const end = async (): Promise<PromptEnd> => ({
    ...ending,
    at: effects.now(),
    ...(pendingInput.length > 0 && { pendingInput }),
  });
  return host.step(STEPS.end.name(), end, { accepts: STEPS.end.accepts, effect: "none" });
}

/** The user's words and the called tools in the messages of a prompt. */
function hookedMessages(messages: readonly Message[]): { readonly inputs: string[]; readonly tools: string[] } {
  const inputs = messages.flatMap((message) =>
    message.role === "user" && message.origin === undefined ? [typedText(message)] : [],
  );
  const tools = messages.flatMap((message) => (message.role === "toolResult" ? [message.toolName] : []));
  return { inputs, tools: [...new Set(tools)] };
}

/** Stop reasons that end a prompt, even if the answer has calls. */
const ENDING: readonly StopReason[] = ["refusal", "contextExceeded"];

class RunningPrompt {
  readonly asking: Asking;
  readonly #run: PromptRun;
  readonly #conversation: Conversation;
  readonly #budget: Budget;
  readonly #repeats = new RepeatWatch();
  #calls = 0;
  #pauses = 0;
  /** Whether modules have let the model continue. */
  #isContinued = false;

  constructor(run: PromptRun, conversation: Conversation) {
    this.#run = run;
    this.#conversation = conversation;
    this.#budget = new Budget(run);
    this.asking = new Asking(run, conversation);
  }

  async turns(input: UserMessage): Promise<Ending> {
    const { host, events } = this.#run;
    const first = await this.#budget.endAt(this.#progress(0));
    if (!first) events.emit({ type: "turn_start" });
    this.#say(input);
    if (first) return first;
    const { message: added, denied } = await this.#contexts(input);
    if (denied !== undefined) return { outcome: "error", denied };
    this.#say(...(added ? [added] : []), ...(await host.inbox.take(1)));
    for (let turn = 1; ; turn++) {
      const end = await this.#afterTurn(turn, await this.#turn(turn));
      if (end) return end;
    }
  }

  /** How the prompt ends after a turn; undefined if another turn follows, which begins with what is in the inbox. */
  async #afterTurn(turn: number, message: AssistantMessage): Promise<Ending | undefined> {
    const { host, events } = this.#run;
    const ending = this.#endingAfter(message);
    if (ending && ending.outcome !== "done") return ending;
    const limit = await this.#limitAfter(turn, ending);
    if (limit) return limit;
    const news = await host.inbox.take(turn + 1, ending !== undefined);
    if (ending && news.length === 0) return this.#continued(turn, message, ending);
    // Agents in the background may have spent meanwhile.
    const late = ending && (await this.#budget.endAt(this.#progress(turn)));
    if (!late) events.emit({ type: "turn_start" });
    this.#say(...news);
    return late;
  }

  /** The end of the prompt, unless modules want the model to continue. */
  async #continued(turn: number, message: AssistantMessage, ending: Ending): Promise<Ending | undefined> {
    const { host, events, plan, effects } = this.#run;
    if (!plan.hooks?.includes("beforeEnd")) return ending;
    const ask = async ({ signal }: StepContext): Promise<AddedContext> => {
      const text = contentText(message.content);
      return moduleMessage(await effects.hooks.beforeEnd(text, this.#isContinued, signal), effects.now());
    };
    const options = { accepts: STEPS.beforeEnd.accepts, effect: "outside", deadline: plan.deadline } as const;
    const { message: added } = await host.step(STEPS.beforeEnd.name(turn), ask, options);
    if (added === undefined) return ending;
    this.#isContinued = true;
    const limit = await this.#budget.endAt(this.#progress(turn));
    if (!limit) events.emit({ type: "turn_start" });
    this.#say(added);
    return limit;
  }

  /** At the end of its work, a prompt asks nobody for more; at a limit, what is left in the inbox is the next prompt's. */
  async #limitAfter(turn: number, ending: Ending | undefined): Promise<Ending | undefined> {
    const progress = this.#progress(turn);
    if (ending === undefined) return this.#budget.endAt(progress);
    return (await this.#budget.isOver(progress)) ? ending : undefined;
  }

  /** The texts after the user's input: the note about the mode, skills, and additions by modules. */
  async #contexts(input: UserMessage): Promise<AddedContext> {
    const { host, plan, effects } = this.#run;
    const isHooked = plan.hooks?.includes("beforePrompt") === true;
    const { modeNote, skills = [] } = plan;
    if (!isHooked && modeNote === undefined && skills.length === 0) return {};
    const ask = async ({ signal }: StepContext): Promise<AddedContext> => {
      const { texts: added = [], denied } = isHooked
        ? await effects.hooks.beforePrompt(contentText(input.content), signal)
        : {};
      if (denied !== undefined) return { denied };
      const texts = [...(modeNote === undefined ? [] : [modeNote]), ...effects.skillContexts(skills), ...added];
      if (texts.length === 0) return {};
      const content = texts.map((text) => ({ type: "text" as const, text }));
      const origin = added.length > 0 ? "module" : skills.length > 0 ? "skill" : "mode";
      return { message: { role: "user", content, timestamp: effects.now(), origin } };
    };
    const options = { accepts: STEPS.beforePrompt.accepts, effect: "outside", deadline: plan.deadline } as const;
    return host.step(STEPS.beforePrompt.name(), ask, options);
  }

  #say(...messages: readonly UserMessage[]): void {
    const { events } = this.#run;
    for (const message of messages) {
      this.asking.countResult(message);
      this.#conversation.messages.push(message);
      events.emit({ type: "message_start", message });
      events.emit({ type: "message_end", message });
    }
  }

  #progress(turns: number): Progress {
    const { cost, at } = this.asking;
    return { turns, cost, at, repeats: this.#repeats.longest, pauses: this.#pauses };
  }

  /** One model call and its tool calls. */
  async #turn(turn: number): Promise<AssistantMessage> {
    const { messages } = this.#conversation;
    const message = await answerTurn(this.#run, turn, this.asking);
    messages.push(message);
    const isBroken = message.stopReason === "error" || message.stopReason === "aborted";
    const toolTurn = { turn, message, callsBefore: this.#calls, repeats: this.#repeats };
    const { results: toolResults, added } = isBroken ? { results: [] } : await runCalls(this.#run, toolTurn);
    messages.push(...toolResults, ...(added ? [added] : []));
    for (const result of toolResults) this.asking.countResult(result);
    this.#calls += toolResults.length;
    this.#pauses = message.stopReason === "pause" ? this.#pauses + 1 : 0;
    this.#run.events.emit({ type: "turn_end", message, toolResults });
    return message;
  }

  /** How a prompt ends after an answer; undefined if the model must be asked again. */
  #endingAfter(message: AssistantMessage): Ending | undefined {
    const { stopReason, content } = message;
    if (stopReason === "error") return { outcome: "error" };
    if (stopReason === "aborted") return this.#aborted(message);
    if (emptiness(message) !== undefined) return { outcome: "error" };
    const isLast =
      ENDING.includes(stopReason) || (!content.some(({ type }) => type === "toolCall") && stopReason !== "pause");
    return isLast ? { outcome: "done" } : undefined;
  }

  /** After the deadline, the prompt ends by its limit. */
  #aborted(message: AssistantMessage): Ending {
    const { seconds } = this.#run.plan.limits;
    if (seconds === undefined || !isPast(this.#run.plan, endOf(message))) return { outcome: "aborted" };
    return { outcome: "limit", limit: { limit: "seconds", value: seconds } };
  }
}
