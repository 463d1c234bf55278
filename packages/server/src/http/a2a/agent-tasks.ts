import type {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import {
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { defined } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import { newSession } from "@mdx-ai/sessions";
import { answerWords, type MessageInput, messageInput } from "./message-input.ts";
import { allTasks, findTask, follow, type KnownTask, sessionOfContext, tasksOf } from "./session-tasks.ts";
import { TaskProgress } from "./task-state.ts";

/** The most tasks of one page of a list. */
const PAGE = 50;

export interface AgentTasksParts {
  readonly open: OpenDirectory;
  /** Who sends the messages, for the journal; undefined for the person who runs the server. */
  readonly user: string | undefined;
  /** Fires when the client has gone, which cancels nothing. */
  readonly left: AbortSignal;
  /** Makes an error of the protocol of any failure. */
  readonly errorOf: (failure: unknown) => Error;
}

/** An agent by A2A: a context is a session, a task is a prompt, and both outlive the server. Rejects with errors of the protocol. */
export class AgentTasks implements A2ARequestHandler {
  readonly #parts: AgentTasksParts;

  constructor(parts: AgentTasksParts) {
    this.#parts = parts;
  }

  sendMessage({ message, configuration }: SendMessageRequest): Promise<Task> {
    return this.#answered(async () => {
      const task = await this.#accept(message);
      if (configuration?.returnImmediately !== true) await this.#untilRest(task);
      return withHistory(task.progress.task, configuration?.historyLength);
    });
  }

  async *sendMessageStream({
    message,
    configuration,
  }: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const task = await this.#answered(() => this.#accept(message));
    yield snapshot(task, configuration?.historyLength);
    yield* follow(task, this.#parts.left);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const task = await this.#answered(() => findTask(this.#parts.open, id));
    if (task.progress.isFinal) throw new UnsupportedOperationError(`task ${id} has ended`);
    yield snapshot(task);
    yield* follow(task, this.#parts.left);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#answered(async () => {
      const { progress } = await findTask(this.#parts.open, id);
      return withHistory(progress.task, historyLength);
    });
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#answered(async () => {
      const task = await findTask(this.#parts.open, id);
      const { progress, session, name } = task;
      const isQueued = session.activePrompts.find((one) => one.id === name.prompt)?.state === "queued";
      if (!(await session.cancel(name.prompt))) throw new TaskNotCancelableError(`task ${id} does not run`);
      if (isQueued) progress.cancel();
      else await this.#untilEnd(task);
      return progress.task;
    });
  }

  /** The tasks of a context, or of all: the session that was used last first, and in it the newest task. */
  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#answered(async () => {
      const { open } = this.#parts;
      const { contextId, status, pageSize = PAGE, pageToken, historyLength, includeArtifacts } = request;
      const from = Number(pageToken);
      if (!Number.isSafeInteger(from) || from < 0)
        throw new RequestMalformedError("the page token is not of this agent");
      const all = contextId === "" ? await allTasks(open) : await tasksOf(sessionOfContext(open, contextId));
      const found = status === 0 ? all : all.filter((task) => task.status?.state === status);
      const size = Math.min(Math.max(pageSize, 1), PAGE);
      const page = found.slice(from, from + size).map((task) => withHistory(task, historyLength));
      return {
        tasks: includeArtifacts === true ? page : page.map((task) => ({ ...task, artifacts: [] })),
        nextPageToken: found.length > from + size ? String(from + size) : "",
        ...{ pageSize: size, totalSize: found.length },
      };
    });
  }

  readonly getAgentCard: () => Promise<AgentCard> = noExtendedCard;
  readonly getAuthenticatedExtendedAgentCard: () => Promise<AgentCard> = noExtendedCard;
  readonly createTaskPushNotificationConfig: () => Promise<never> = noPushes;
  readonly getTaskPushNotificationConfig: () => Promise<never> = noPushes;
  readonly listTaskPushNotificationConfigs: () => Promise<never> = noPushes;
  readonly deleteTaskPushNotificationConfig: () => Promise<never> = noPushes;

  async #answered<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#parts.errorOf(error);
    }
  }

  /** Reads the updates of a task until it ends or needs its user. */
  async #untilRest(task: KnownTask): Promise<void> {
    for await (const _ of follow(task, this.#parts.left)) if (task.progress.needsSignIn) return;
  }

  async #untilEnd(task: KnownTask): Promise<void> {
    const { question } = task.progress;
    // The end of the prompt withdraws its question.
    if (question !== undefined) task.progress.answered(question);
    for await (const _ of follow(task, this.#parts.left)) if (task.progress.isFinal) return;
  }

  /** Takes a message: a new prompt, or an answer or more input for a task. */
  async #accept(message: Message | undefined): Promise<KnownTask> {
    if (message === undefined || !/^[\x21-\x7e]{1,255}$/.test(message.messageId)) {
      throw new RequestMalformedError("a message needs a messageId of 1 to 255 visible ASCII characters");
    }
    const input = messageInput(message);
    if (input.text.trim() === "" && input.images.length === 0) throw new RequestMalformedError("the message is empty");
    return message.taskId === "" ? this.#begin(message, input) : this.#continue(message, input);
  }

  /** The same message again is the same task. */
  async #begin({ contextId, messageId }: Message, { text, images }: MessageInput): Promise<KnownTask> {
    const { open } = this.#parts;
    const isNew = contextId === "";
    const session = isNew
      ? open.agent.session(newSession(open.dataDirectory, Date.now()))
      : sessionOfContext(open, contextId);
    const name = { session: session.id, prompt: messageId };
    const isKnown = !isNew && (await session.hasPrompt(messageId));
    const before = isNew || isKnown ? 0 : ((await session.checkpoints()).at(-1)?.prompt ?? 0);
    await session.submit(text, { key: messageId, images });
    return { session, name, progress: new TaskProgress(name), at: { event: `${before}.0` } };
  }

  async #continue({ taskId, contextId }: Message, input: MessageInput): Promise<KnownTask> {
    const task = await findTask(this.#parts.open, taskId);
    const { progress, session } = task;
    if (contextId !== "" && contextId !== session.id)
      throw new RequestMalformedError(`task ${taskId} is of another context`);
    if (progress.isFinal)
      throw new UnsupportedOperationError(`task ${taskId} has ended; leave its id out to continue the context`);
    const { question } = progress;
    if (question === undefined) {
      if (await session.steer(input.text, input.images)) return task;
      throw new UnsupportedOperationError(`task ${taskId} takes no input now`);
    }
    await session.answer(question, answerWords(input), { by: "server", ...defined({ user: this.#parts.user }) });
    progress.answered(question);
    return task;
  }
}

const noPushes = (): Promise<never> => Promise.reject(new PushNotificationNotSupportedError());

const noExtendedCard = (): Promise<AgentCard> => Promise.reject(new ExtendedAgentCardNotConfiguredError());

const snapshot = ({ progress }: KnownTask, historyLength?: number): StreamResponse => ({
  payload: { $case: "task", value: withHistory(progress.task, historyLength) },
});

/** A task with its last messages; undefined: all. */
const withHistory = (task: Task, length?: number): Task => ({
  ...task,
  history: length === undefined ? task.history : length <= 0 ? [] : task.history.slice(-length),
});
