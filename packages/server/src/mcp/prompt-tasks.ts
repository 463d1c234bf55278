import { isRecord, type JsonObject, untilAborted } from "@mdx-ai/base";
import type { Question } from "@mdx-ai/loop";
import {
  type CallToolResult,
  type ClientCapabilities,
  fromJsonSchema,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ServerContext,
  type Task,
} from "@modelcontextprotocol/server";
import { problemOf } from "../http/problem.ts";
import { promptEvents } from "../http/prompt-events.ts";
import { whereToAnswer } from "../questions/where-to-answer.ts";
import type { AgentServerParts } from "./agent-parts.ts";
import { elicitationOf, wordsOf } from "./elicitation.ts";
import { PromptTask } from "./prompt-task.ts";
import { answer, failure, type PromptTool, resultOf } from "./prompt-tool.ts";

/** The most milliseconds that a task is kept, and those of a client that names none. */
const MAX_TTL = 7 * 24 * 60 * 60 * 1_000;

/** Tasks of one page of a list. */
const PAGE = 50;

/** Tasks that have ended and are kept. */
const MAX_ENDED = 1_000;

/** What a server says of its tasks at the beginning of a connection. */
export const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** Prompts that run as tasks, of all connections: a client that has left finds its task again. */
export class PromptTasks {
  readonly #parts: AgentServerParts;
  readonly #tool: PromptTool;
  /** By id, the oldest first. */
  readonly #tasks = new Map<string, PromptTask>();
  readonly #stops = new WeakMap<PromptTask, () => void>();

  constructor(parts: AgentServerParts, tool: PromptTool) {
    this.#parts = parts;
    this.#tool = tool;
  }

  /** Begins a prompt. Nothing of it is cancelled when the client leaves. Throws `ProtocolError` if the arguments are wrong. */
  begin(args: JsonObject, ttl: number | undefined, context: ServerContext): Task {
    this.#forget();
    const { session, text } = this.#asked(args);
    const task = new PromptTask(session, Math.min(Math.max(ttl ?? MAX_TTL, 0), MAX_TTL));
    this.#tasks.set(task.id, task);
    void this.#run(task, text, context);
    return this.#view(task);
  }

  /** Handles the requests about tasks of a connection of revision 2025-11-25. */
  serve({ server }: McpServer): void {
    server.setRequestHandler("tasks/get", { params: TASK_PARAMS }, ({ taskId }) => this.#view(this.#find(taskId)));
    server.setRequestHandler("tasks/list", { params: LIST_PARAMS }, ({ cursor }) => this.#list(cursor));
    server.setRequestHandler("tasks/cancel", { params: TASK_PARAMS }, ({ taskId }) => this.#cancel(taskId));
    server.setRequestHandler("tasks/result", { params: TASK_PARAMS }, ({ taskId }, context) =>
      this.#result(this.#find(taskId), context, server.getClientCapabilities()),
    );
  }

  #asked(args: JsonObject): ReturnType<PromptTool["asked"]> {
    try {
      return this.#tool.asked(args);
    } catch (error) {
      throw invalid(problemOf(error)?.detail ?? "the arguments are wrong");
    }
  }

  /** Never rejects. */
  async #run(task: PromptTask, text: string, { mcpReq }: ServerContext): Promise<void> {
    const { session } = task;
    const { events, stop } = promptEvents(session, () => session.submit(text), { waits: true });
    this.#stops.set(task, stop);
    try {
      for await (const event of this.#tool.reported(session, events, mcpReq)) task.add(event);
      task.end((end) => resultOf(session.id, end));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) this.#parts.onWarning(`a task failed: ${String(error)}`);
      task.finish(failure(problem?.detail ?? "the prompt failed"));
    }
  }

  #find(id: string): PromptTask {
    this.#forget();
    const task = this.#tasks.get(id);
    if (task === undefined) throw invalid(`there is no task ${JSON.stringify(id.slice(0, 80))}`);
    return task;
  }

  /** The newest first. */
  #list(cursor: string | undefined): { readonly tasks: Task[]; readonly nextCursor?: string } {
    this.#forget();
    const tasks = [...this.#tasks.values()].reverse();
    const after = cursor === undefined ? -1 : tasks.findIndex(({ id }) => id === cursor);
    if (cursor !== undefined && after === -1) throw invalid("the cursor is unknown");
    const page = tasks.slice(after + 1, after + 1 + PAGE);
    const last = page.at(-1);
    const hasMore = last !== undefined && last !== tasks.at(-1);
    return { tasks: page.map((task) => this.#view(task)), ...(hasMore && { nextCursor: last.id }) };
  }

  #cancel(id: string): Task {
    const task = this.#find(id);
    if (task.isEnded) throw invalid(`task ${id} has ended`);
    task.cancel();
    this.#stops.get(task)?.();
    return this.#view(task);
  }

  /** Waits until the task has ended, and asks its questions through this request meanwhile. */
  async #result(
    task: PromptTask,
    context: ServerContext,
    capabilities: ClientCapabilities | undefined,
  ): Promise<CallToolResult> {
    const { signal } = context.mcpReq;
    const shown = new Set<string>();
    while (task.result === undefined && !signal.aborted) {
      const { question } = task;
      const isNew = question !== undefined && !shown.has(question.id);
      const change = task.changed(signal);
      if (isNew) {
        shown.add(question.id);
        await this.#ask(task, question, { context, capabilities, change });
      } else await change;
    }
    signal.throwIfAborted();
    const { content = [], ...result } = task.result ?? failure("the prompt was cancelled");
    return { content, ...result, _meta: relatedTo(task) };
  }

  /** Asks the user of the client, until the question was answered elsewhere. A client that cannot ask is told where to answer by the task. */
  async #ask(task: PromptTask, question: Question, { context, capabilities, change }: Asking): Promise<void> {
    const request = elicitationOf(question, capabilities);
    if (request?.method !== "elicitation/create") return;
    const answered = new AbortController();
    void change.then(() => answered.abort());
    const params = this.#parts.redactor.value({ ...request.params, _meta: relatedTo(task) });
    const options = { signal: answered.signal, timeout: MAX_TTL };
    const work = () => context.mcpReq.elicitInput(params, options);
    const response = await untilAborted(work, answered.signal, () => undefined);
    const words = response && wordsOf(response, question);
    if (words !== undefined) await answer(task.session, question.id, words);
  }

  #view(task: PromptTask): Task {
    const places = { directory: this.#parts.open.directory.path, takesPosts: false };
    return this.#parts.redactor.value(task.view((question) => whereToAnswer(question, places)));
  }

  /** Forgets tasks that have ended: those whose time is over, and the oldest of too many. */
  #forget(): void {
    const ended = [...this.#tasks.values()].filter(({ isEnded }) => isEnded);
    for (const [index, task] of ended.entries()) {
      if (task.isExpired || index < ended.length - MAX_ENDED) this.#tasks.delete(task.id);
    }
  }
}

interface Asking {
  readonly context: ServerContext;
  readonly capabilities: ClientCapabilities | undefined;
  /** Resolves when the task has changed. */
  readonly change: Promise<void>;
}

const TASK_PARAMS = fromJsonSchema<{ taskId: string }>({
  type: "object",
  properties: { taskId: { type: "string" } },
  required: ["taskId"],
});

const LIST_PARAMS = fromJsonSchema<{ cursor?: string }>({
  type: "object",
  properties: { cursor: { type: "string" } },
});

const relatedTo = (task: PromptTask) => ({ [RELATED_TASK_META_KEY]: { taskId: task.id } });

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** How long the client wants its task to be kept; undefined if the call is no task. */
export const taskOf = (params: object): { readonly ttl?: number } | undefined => {
  const { task } = "task" in params ? params : {};
  if (!isRecord(task)) return undefined;
  const { ttl } = task;
  return typeof ttl === "number" && Number.isFinite(ttl) ? { ttl } : {};
};
