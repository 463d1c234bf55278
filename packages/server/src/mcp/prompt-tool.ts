import { isRecord, type JsonObject, whenAborted } from "@mdx-ai/base";
import type { AgentEvent, AnswerWords, Question } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import { AnswerError, AnsweredQuestionError, newSession, UnknownQuestionError } from "@mdx-ai/sessions";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { ProblemError, problemOf } from "../http/problem.ts";
import { promptEvents } from "../http/prompt-events.ts";
import { whereToAnswer } from "../questions/where-to-answer.ts";
import type { AgentServerParts } from "./agent-parts.ts";
import type { ChangeNotices } from "./change-notices.ts";
import { elicitationOf, wordsOf } from "./elicitation.ts";
import { ProgressSteps } from "./progress-steps.ts";
import { type EndedPrompt, finalAnswer, PromptAnswer, type PromptEnd } from "./prompt-answer.ts";

/** The name of the tool that prompts the agent. */
export const PROMPT = "prompt";

/** A prompt whose question the client's user answers. */
export interface WaitingPrompt {
  readonly session: string;
  readonly prompt: string;
  readonly question: string;
}

/** The key of the question in a request for input. */
const ANSWER = "answer";

type PromptResult = CallToolResult | InputRequiredResult;

/** The prompt has ended while its question was asked. */
class PromptEndedError extends Error {
  override readonly name = "PromptEndedError";
}

/** Another question of the prompt is open, whose event has passed. */
class OpenQuestionError extends Error {
  override readonly name = "OpenQuestionError";
  readonly question: Question;

  constructor(question: Question) {
    super(`question ${question.id} is open`);
    this.question = question;
  }
}

export interface PromptServices {
  /** Makes the state that the client returns with an answer. */
  mint(waiting: WaitingPrompt): Promise<string>;
  readonly changes: Pick<ChangeNotices, "sessionMade" | "sessionChanged">;
}

/** The tool that prompts the agent. */
export class PromptTool {
  readonly #parts: AgentServerParts;
  readonly #services: PromptServices;
  /** Steps that were reported, of all calls: within one call, which may have several rounds, the number has to grow. */
  #steps = 0;

  constructor(parts: AgentServerParts, services: PromptServices) {
    this.#parts = parts;
    this.#services = services;
  }

  get definition(): Tool {
    const { agent, directory } = this.#parts.open;
    const { purpose } = directory.definition.identity;
    return {
      name: PROMPT,
      title: `Prompt ${agent.name}`,
      description: [`Sends a prompt to the agent ${agent.name} and returns its answer.`, purpose].join(" ").trim(),
      inputSchema: {
        type: "object",
        properties: {
          text: { type: "string", description: "What the agent shall do" },
          session: { type: "string", description: "The session to continue; a new one by default" },
        },
        required: ["text"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          session: { type: "string", description: "The session, to continue it" },
          question: { type: "string", description: "The question that the prompt waits for" },
        },
        required: ["session"],
      },
      execution: { taskSupport: "optional" },
    };
  }

  /** Runs a prompt, or continues one with the answer to its question. Ends with the answer, or with the next question. */
  async call(args: JsonObject, context: ServerContext, capabilities?: ClientCapabilities): Promise<PromptResult> {
    const waiting = context.mcpReq.requestState<WaitingPrompt>();
    try {
      return isRecord(waiting)
        ? await this.#continue(waiting, context, capabilities)
        : await this.#begin(args, context, capabilities);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      return failure(problem.detail);
    }
  }

  /** The session of a call, and its text. Throws `ProblemError` if the arguments are wrong. */
  asked({ text, session: named }: JsonObject): AskedText {
    if (typeof text !== "string" || text.trim() === "") throw wrong("`text` needs a text");
    if (named !== undefined && typeof named !== "string") throw wrong("`session` needs the id of a session");
    const id = named ?? newSession(this.#parts.open.dataDirectory, Date.now());
    if (named === undefined) this.#services.changes.sessionMade();
    return { session: this.#parts.open.agent.session(id), text };
  }

  async #begin(args: JsonObject, context: ServerContext, capabilities?: ClientCapabilities): Promise<PromptResult> {
    const { session, text } = this.asked(args);
    let prompt = "";
    const begin = async (): Promise<string> => {
      prompt = await session.submit(text);
      return prompt;
    };
    const end = await this.#follow(session, begin, context);
    return this.#resultOf(end, { session, prompt }, capabilities);
  }

  async #continue(
    { session: id, prompt, question }: WaitingPrompt,
    context: ServerContext,
    capabilities?: ClientCapabilities,
  ): Promise<PromptResult> {
    const session = this.#parts.open.agent.session(id);
    const asked = session.openQuestions.find((one) => one.id === question);
    const response = context.mcpReq.inputResponses?.[ANSWER];
    const again = asked !== undefined && !isRecord(response);
    try {
      if (again) return await this.#ask(asked, { session, prompt }, capabilities);
      const begin = async (): Promise<undefined> => {
        if (!session.activePrompts.some((active) => active.id === prompt)) throw new PromptEndedError();
        const words = asked && wordsOf(response, asked);
        if (words !== undefined) await answer(session, question, words);
        const next = session.openQuestions.find((one) => one.id !== question);
        if (next !== undefined) throw new OpenQuestionError(next);
      };
      const end = await this.#follow(session, begin, context);
      return await this.#resultOf(end, { session, prompt }, capabilities);
    } catch (error) {
      if (error instanceof PromptEndedError) return finished(id, finalAnswer(await session.messages()));
      if (error instanceof OpenQuestionError) return this.#ask(error.question, { session, prompt }, capabilities);
      if (error instanceof AnswerError && asked !== undefined)
        return this.#ask(asked, { session, prompt }, capabilities);
      throw error;
    }
  }

  /** Reads the events of a prompt until it ends or asks. The client cancels it by cancelling the request. */
  async #follow(
    session: Session,
    begin: () => Promise<string | undefined>,
    { mcpReq }: ServerContext,
  ): Promise<PromptEnd> {
    const { events, stop } = promptEvents(session, begin);
    using _stop = whenAborted(mcpReq.signal, stop);
    const answer = new PromptAnswer();
    for await (const event of this.reported(session, events, mcpReq)) answer.add(event);
    return answer.end;
  }

  /** The events of a prompt, whose steps the client hears of. */
  async *reported(
    session: Session,
    events: AsyncIterable<AgentEvent>,
    mcpReq: ServerContext["mcpReq"],
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const report = this.#progress(mcpReq);
    const steps = new ProgressSteps();
    for await (const event of events) {
      if (event.type === "agent_start") this.#services.changes.sessionChanged(session.id);
      await report(steps.of(event));
      yield event;
    }
    this.#services.changes.sessionChanged(session.id);
  }

  /** Reports a step to a client that wants progress. The function never rejects. */
  #progress({ _meta, notify }: ServerContext["mcpReq"]): (step: string | undefined) => Promise<void> {
    const progressToken = _meta?.progressToken;
    return async (step) => {
      if (step === undefined || progressToken === undefined) return;
      this.#steps += 1;
      const message = this.#parts.redactor.text(step);
      const params = { progressToken, progress: this.#steps, message };
      await notify({ method: "notifications/progress", params }).catch(() => {});
    };
  }

  async #resultOf(end: PromptEnd, at: AskedPrompt, capabilities?: ClientCapabilities): Promise<PromptResult> {
    if (end.type === "question") return this.#ask(end.question, at, capabilities);
    return resultOf(at.session.id, end);
  }

  /** Asks the user of the client; if it cannot, says where the question is answered. */
  async #ask(
    question: Question,
    { session, prompt }: AskedPrompt,
    capabilities?: ClientCapabilities,
  ): Promise<PromptResult> {
    const request = elicitationOf(question, capabilities);
    if (request === undefined) {
      const text = whereToAnswer(question, { directory: this.#parts.open.directory.path, takesPosts: false });
      return { ...finished(session.id, text), structuredContent: { session: session.id, question: question.id } };
    }
    const requestState = await this.#services.mint({ session: session.id, prompt, question: question.id });
    return inputRequired({ inputRequests: { [ANSWER]: request }, requestState });
  }
}

interface AskedPrompt {
  readonly session: Session;
  readonly prompt: string;
}

interface AskedText {
  readonly session: Session;
  readonly text: string;
}

/** Answers a question, unless it was answered elsewhere meanwhile. */
export async function answer(session: Session, id: string, words: AnswerWords): Promise<void> {
  try {
    await session.answer(id, words, { by: "server" });
  } catch (error) {
    if (!(error instanceof AnsweredQuestionError || error instanceof UnknownQuestionError)) throw error;
  }
}

const finished = (session: string, text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { session },
});

/** The result of a prompt that has ended. */
export const resultOf = (session: string, { text, isFailed }: EndedPrompt): CallToolResult => ({
  ...finished(session, text),
  ...(isFailed && { isError: true }),
});

const wrong = (detail: string): ProblemError => new ProblemError({ status: 422, code: "wrong_arguments", detail });

export const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });
