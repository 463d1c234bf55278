import { jsonValue } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { Session } from "@mdx-ai/runtime";
import { sessionFolder } from "@mdx-ai/sessions";
import { ProblemError } from "../problem.ts";
import { forkSession } from "../routes/fork-session.ts";
import { isIdle } from "../routes/idle-session.ts";

/** The prompt of a response. */
export interface ResponsePrompt {
  readonly session: string;
  /** Its number. */
  readonly prompt: number;
}

/** Gives ids to responses, and finds their prompts again. */
export interface ResponseIds {
  idOf(prompt: ResponsePrompt): string;
  /** Undefined if there is none. */
  find(id: string): ResponsePrompt | undefined;
}

/** Ids that name their prompts, so that a response can be continued after a restart, too. */
export const STORED_IDS: ResponseIds = {
  idOf: ({ session, prompt }) => `resp_${Buffer.from(JSON.stringify([session, prompt])).toString("base64url")}`,
  find(id) {
    const named = jsonValue(Buffer.from(id.replace(/^resp_/, ""), "base64url").toString("utf8"));
    const [session, prompt]: readonly unknown[] = Array.isArray(named) ? named : [];
    return typeof session === "string" && typeof prompt === "number" ? { session, prompt } : undefined;
  },
};

/** Ids of responses that the client does not want to be found again (`store: false`), but for what this keeps: the latest ones of one connection. */
export class ConnectionIds implements ResponseIds {
  readonly #known = new Map<string, ResponsePrompt>();

  idOf(prompt: ResponsePrompt): string {
    const id = `resp_${crypto.randomUUID()}`;
    this.#known.set(id, prompt);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return id;
  }

  find(id: string): ResponsePrompt | undefined {
    return this.#known.get(id) ?? STORED_IDS.find(id);
  }

  /** After a failure, the client begins anew. */
  forget(id: string): void {
    this.#known.delete(id);
  }
}

const MAX_KNOWN = 1_000;

/** The session that continues from a response: its own, or a fork if that has gone on. Rejects with a problem. */
export async function continued(
  open: OpenDirectory,
  id: string,
  { session: name, prompt }: ResponsePrompt,
): Promise<Session> {
  await open.shared?.refresh(name);
  sessionFolder(open.dataDirectory, name);
  const session = open.agent.session(name);
  const prompts = (await session.checkpoints()).map((checkpoint) => checkpoint.prompt);
  // Its prompt may have been taken back.
  if (!prompts.includes(prompt)) throw unknownResponse(id);
  if (prompt === prompts.at(-1) && (await isIdle({ open, session }))) return session;
  return open.agent.session(await forkSession(open, session, prompt));
}

/** The prompt of a response. Throws `ProblemError` if there is none. */
export function promptOf(id: string, ids: ResponseIds): ResponsePrompt {
  const found = ids.find(id);
  if (found === undefined) throw unknownResponse(id);
  return found;
}

const unknownResponse = (id: string): ProblemError =>
  new ProblemError({
    status: 404,
    code: "previous_response_not_found",
    detail: `there is no response ${JSON.stringify(id.slice(0, 80))}`,
  });
