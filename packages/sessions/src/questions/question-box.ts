import { existsSync, type FSWatcher, mkdirSync, readdirSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { attempt, ifExists, isJsonObject, isRecord, type JsonObject, jsonValue, sha256 } from "@mdx-ai/base";
import {
  isNewer,
  makeFileOnce,
  NewerVersionError,
  readSmallFile,
  realPathOrSame,
  replaceFileSync,
} from "@mdx-ai/base/disk";

/** The version of the format, in each file. */
const QUESTIONS_VERSION = 1;

/** The maximum bytes of a file. */
const MAX_BYTES = 4_000_000;

/** The polling interval in milliseconds, for file systems that report no changes. */
const LOOK_INTERVAL = 1_000;

/** The id prefix of questions that end with the asking process. */
export const BESIDE = "q-";

/** An id that is safe as a file's name. */
const QUESTION_ID = /^[\w-]+(\.[\w-]+)*$/;

/**
 * The open questions of a session and their answers, in a folder of the user's state. Other processes of the user can list and answer
 * them, even if no process runs the session. One file per question and one per answer; the first answer counts.
 */
export class QuestionBox {
  readonly #folder: string;

  /** `folder` is absolute. It is created with the first question. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Puts a question into the box. Replaces one with the same id and keeps its answer. Throws the file system's error. */
  post(id: string, question: object): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    replaceFileSync({ path: this.#questionFile(id), text: fileText(question) });
  }

  /** The unanswered questions by id, sorted by id. Throws `NewerVersionError`. */
  open(): ReadonlyMap<string, JsonObject> {
    const names = ifExists(() => readdirSync(this.#folder)) ?? [];
    const ids = names.flatMap((name) => (name.endsWith(QUESTION) ? name.slice(0, -QUESTION.length) : []));
    const open = ids.filter((id) => QUESTION_ID.test(id) && !names.includes(`${id}${ANSWER}`)).sort(byNumber);
    return new Map(open.flatMap((id) => questionOf(id, readKept(this.#questionFile(id)))));
  }

  /** A question, answered or not. Throws `NewerVersionError`. */
  question(id: string): JsonObject | undefined {
    return readKept(this.#questionFile(id));
  }

  /** Answers a question. Returns false if it is answered already or no longer open. Throws the file system's error. */
  answer(id: string, answer: object): boolean {
    const file = this.#answerFile(id);
    if (!existsSync(this.#questionFile(id)) || !makeFileOnce(file, fileText(answer))) return false;
    // A process that waits takes the answer at once and removes the question; what is left of both is of no use then.
    if (!existsSync(this.#questionFile(id))) rmSync(file, { force: true });
    return true;
  }

  /** Whether there is an unused answer from another process. Never throws. */
  get hasAnswers(): boolean {
    return (attempt(() => readdirSync(this.#folder)) ?? []).some((name) => name.endsWith(ANSWER));
  }

  /** The answer to a question. Throws `NewerVersionError`. */
  answerTo(id: string): JsonObject | undefined {
    return readKept(this.#answerFile(id));
  }

  /** Calls `onAnswer` once, when another process has answered. Returns a function that ends the wait. Never throws. */
  watch(id: string, onAnswer: (answer: JsonObject) => void): () => void {
    const look = (): void => {
      const answer = attempt(() => this.answerTo(id));
      if (answer === undefined) return;
      stop();
      onAnswer(answer);
    };
    const timer = setInterval(look, LOOK_INTERVAL);
    const watcher: FSWatcher | undefined = attempt(() => watch(this.#folder, look).on("error", () => {}));
    const stop = (): void => {
      clearInterval(timer);
      watcher?.close();
    };
    return stop;
  }

  /** Removes all questions and answers whose ids have this prefix. Never throws. */
  removeAll(prefix: string): void {
    const names = attempt(() => readdirSync(this.#folder)) ?? [];
    for (const name of names)
      if (name.startsWith(prefix)) attempt(() => rmSync(join(this.#folder, name), { force: true }));
  }

  /** Removes a question and its answer: the question first, so that it cannot be answered meanwhile. Never throws. */
  remove(id: string): void {
    for (const file of [this.#questionFile(id), this.#answerFile(id)]) attempt(() => rmSync(file, { force: true }));
  }

  #questionFile(id: string): string {
    return join(this.#folder, `${checked(id)}${QUESTION}`);
  }

  #answerFile(id: string): string {
    return join(this.#folder, `${checked(id)}${ANSWER}`);
  }
}

/** The box of a session, by its key. A session of a copied directory has another box. */
export const questionBox = (questionsDirectory: string, dataDirectory: string, key: string): QuestionBox =>
  new QuestionBox(join(questionsDirectory, sha256(`${realPathOrSame(dataDirectory)}\n${key}`).slice(0, 32)));

const QUESTION = ".question.json";
const ANSWER = ".answer.json";

function checked(id: string): string {
  if (!QUESTION_ID.test(id)) throw new RangeError(`${JSON.stringify(id)} is not the id of a question`);
  return id;
}

const fileText = (content: object): string => `${JSON.stringify({ v: QUESTIONS_VERSION, content })}\n`;

/** Undefined if the file is missing or torn. */
function readKept(path: string): JsonObject | undefined {
  const kept = jsonValue(readSmallFile(path, MAX_BYTES) ?? "");
  if (!isRecord(kept)) return undefined;
  if (isNewer(kept["v"], QUESTIONS_VERSION)) throw new NewerVersionError(path);
  const content = kept["content"];
  return isJsonObject(content) ? content : undefined;
}

const questionOf = (id: string, question: JsonObject | undefined): readonly (readonly [string, JsonObject])[] =>
  question === undefined ? [] : [[id, question]];

/** "3.2.10" after "3.2.9". */
const byNumber = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });
