import { type Artifact, type Message, type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { isJsonObject, type JsonObject } from "@mdx-ai/base";
import { limitText, type ReachedLimit } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, contentText, type Question } from "@mdx-ai/loop";
import type { Message as AgentMessage } from "@mdx-ai/models";
import { offeredNames, offeredWords } from "@mdx-ai/sessions";
import { questionText } from "../../questions/question-text.ts";

/** A prompt of a session, which is a task of its context. */
export interface TaskName {
  readonly session: string;
  readonly prompt: string;
}

const taskId = ({ session, prompt }: TaskName): string => `${session}:${prompt}`;

/** Undefined if the id is not one of a task. A session's id has no colon. */
export function taskName(id: string): TaskName | undefined {
  const [, session, prompt] = /^([^:]+):(.+)$/s.exec(id) ?? [];
  return session === undefined || prompt === undefined ? undefined : { session, prompt };
}

/** The states after which a task changes no more. */
const FINAL: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** The one output of a task: what the agent said last. */
const ANSWER = "answer";

/** A task as far as the events of its prompt have been added. */
export class TaskProgress {
  readonly #name: TaskName;
  #state = TaskState.TASK_STATE_SUBMITTED;
  #message: Message | undefined;
  readonly #history: Message[] = [];
  #text = "";
  /** Whether the text is of the message that is being written. */
  #isWriting = false;
  #problem: string | undefined;
  #limit: ReachedLimit | undefined;
  readonly #open = new Set<string>();

  constructor(name: TaskName) {
    this.#name = name;
  }

  get isFinal(): boolean {
    return FINAL.has(this.#state);
  }

  /** Whether it has ended, or waits for a message of the client. */
  get isAtRest(): boolean {
    return this.isFinal || this.#state === TaskState.TASK_STATE_INPUT_REQUIRED;
  }

  /** Whether it waits for something that the client's user does elsewhere. */
  get needsSignIn(): boolean {
    return this.#state === TaskState.TASK_STATE_AUTH_REQUIRED;
  }

  /** The id of the open question that was asked last. */
  get question(): string | undefined {
    return [...this.#open].at(-1);
  }

  get task(): Task {
    return {
      ...{ id: taskId(this.#name), contextId: this.#name.session, metadata: undefined },
      status: this.#status,
      artifacts: this.#text === "" ? [] : [artifactOf(this.#text)],
      history: [...this.#history],
    };
  }

  /** The updates that an event is for a client. */
  add(event: AgentEvent): readonly StreamResponse[] {
    switch (event.type) {
      case "agent_start":
        return this.#enter(TaskState.TASK_STATE_WORKING);
      case "message_start":
        this.#isWriting = false;
        return [];
      case "message_update":
        return event.assistantMessageEvent.type === "text_delta" ? this.#write(contentText(event.message.content)) : [];
      case "message_end":
        return this.#said(event.message, event.id);
      case "question_asked":
        return this.#asked(event.question);
      case "question_answered":
        return this.answered(event.questionId);
      case "limit_reached":
        this.#limit = event;
        return [];
      case "agent_end":
        this.#open.clear();
        return this.#end(event);
      default:
        return [];
    }
  }

  /** Call it for an answer whose event has not come yet. */
  answered(question: string): readonly StreamResponse[] {
    this.#open.delete(question);
    return this.#open.size > 0 ? [] : this.#enter(TaskState.TASK_STATE_WORKING);
  }

  /** A prompt that ended before it began. */
  cancel(): void {
    this.#state = TaskState.TASK_STATE_CANCELED;
  }

  get #status(): NonNullable<Task["status"]> {
    return { state: this.#state, message: this.#message, timestamp: new Date().toISOString() };
  }

  #enter(state: TaskState, parts?: readonly Part[], id: string = crypto.randomUUID()): readonly StreamResponse[] {
    this.#state = state;
    this.#message = parts && this.#messageOf(Role.ROLE_AGENT, parts, id);
    const { id: task, contextId } = this.task;
    const value = { taskId: task, contextId, status: this.#status, metadata: undefined };
    return [{ payload: { $case: "statusUpdate", value } }];
  }

  #asked(question: Question): readonly StreamResponse[] {
    this.#open.add(question.id);
    const isElsewhere = question.kind === "sign_in";
    const state = isElsewhere ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED;
    return this.#enter(state, [textPart(questionText(question)), dataPart(questionData(question))], question.id);
  }

  #said(message: AgentMessage, id: string = crypto.randomUUID()): readonly StreamResponse[] {
    if (message.role === "toolResult") return [];
    const text = contentText(message.content);
    const isFirst = this.#history.length === 0;
    if (message.role === "user") {
      this.#history.push(this.#messageOf(Role.ROLE_USER, [textPart(text)], isFirst ? this.#name.prompt : id));
      return [];
    }
    this.#problem = message.errorMessage;
    if (text === "") return [];
    this.#history.push(this.#messageOf(Role.ROLE_AGENT, [textPart(text)], `${taskId(this.#name)}:${id}`));
    return this.#write(text);
  }

  /** Sends what was added to the answer; a new message replaces the last one. */
  #write(text: string): readonly StreamResponse[] {
    const append = this.#isWriting && text.startsWith(this.#text);
    const added = append ? text.slice(this.#text.length) : text;
    this.#isWriting = true;
    this.#text = text;
    if (added === "") return [];
    const { id, contextId } = this.task;
    const value = { taskId: id, contextId, artifact: artifactOf(added), append, lastChunk: false, metadata: undefined };
    return [{ payload: { $case: "artifactUpdate", value } }];
  }

  #end({ outcome }: Extract<AgentEvent, { type: "agent_end" }>): readonly StreamResponse[] {
    switch (outcome) {
      case "done":
        return this.#enter(TaskState.TASK_STATE_COMPLETED);
      case "aborted":
        return this.#enter(TaskState.TASK_STATE_CANCELED);
      case "error":
        return this.#enter(TaskState.TASK_STATE_FAILED, [textPart(this.#problem ?? "the model failed")]);
      case "limit": {
        const text = this.#limit === undefined ? "stopped at a limit" : limitText(this.#limit);
        return this.#enter(TaskState.TASK_STATE_FAILED, [textPart(text)]);
      }
    }
  }

  #messageOf(role: Role, parts: readonly Part[], messageId: string): Message {
    return {
      ...{ messageId, role, parts: [...parts], taskId: taskId(this.#name), contextId: this.#name.session },
      ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
    };
  }
}

const artifactOf = (text: string): Artifact => ({
  ...{ artifactId: ANSWER, name: ANSWER, description: "", parts: [textPart(text)] },
  ...{ metadata: undefined, extensions: [] },
});

const textPart = (value: string): Part => ({
  ...{ content: { $case: "text", value }, mediaType: "text/plain" },
  ...{ filename: "", metadata: undefined },
});

const dataPart = (value: JsonObject): Part => ({
  ...{ content: { $case: "data", value }, mediaType: "application/json" },
  ...{ filename: "", metadata: undefined },
});

/** A question for a program: its words, and the schema of a form. */
function questionData(question: Question): JsonObject {
  const { id, kind } = question;
  const form = kind === "elicitation" && question.request.type === "form" ? question.request.schema : undefined;
  return {
    ...{ question: id, kind, words: offeredWords(question), names: offeredNames(question) },
    ...(isJsonObject(form) && { schema: form }),
  };
}
