import { whenAborted } from "@mdx-ai/base";
import type { Answer, AskingCall } from "@mdx-ai/loop";
import type { McpAnswer, McpQuestion, McpSignIn } from "@mdx-ai/mcp";
import type { SessionQuestions } from "./session-questions.ts";

/** Finds the questions of a session. Default: the default session. */
export type FindQuestions = (session: string | undefined) => SessionQuestions;

const NEVER: AbortSignal = new AbortController().signal;

/** The questions of MCP servers. They belong to the session whose call of the server began last. */
export class ServerQuestions {
  readonly #find: FindQuestions;

  constructor(find: FindQuestions) {
    this.#find = find;
  }

  /** Asks the user of a session. Never rejects. */
  async ask({ server, request, session, asking }: AskedByServer, signal: AbortSignal): Promise<McpAnswer> {
    const subject = { kind: "elicitation", server, request } as const;
    const answer = await this.#find(session).askBeside(subject, signal, { asking });
    return mcpAnswer(answer);
  }

  /** Asks the user to sign in to a server at an address. A reader of the session or the deadline can answer no. Never rejects. */
  async signIn({ server, url, session }: AskedSignIn, { ended, refuse }: McpSignIn): Promise<void> {
    const here = async (): Promise<Answer> => {
      await new Promise<void>((resolve) => whenAborted(ended, resolve));
      return { answer: {}, by: "program" };
    };
    const answer = await this.#find(session).askBeside({ kind: "sign_in", server, url }, NEVER, { here });
    if (answer.answer === "no" && answer.by !== "failure") refuse();
  }
}

/** A question of a server. */
export interface AskedByServer {
  readonly server: string;
  readonly request: McpQuestion;
  /** The session of the call that began last. Undefined: the default session. */
  readonly session?: string | undefined;
  /** The asking call, if only one call of the server is running. */
  readonly asking?: AskingCall | undefined;
}

interface AskedSignIn {
  readonly server: string;
  readonly url: string;
  readonly session: string | undefined;
}

function mcpAnswer({ answer, by }: Answer): McpAnswer {
  if (typeof answer === "object") return { action: "accept", content: answer };
  return { action: by === "stop" || by === "failure" ? "cancel" : "decline" };
}

/** Converts the local user's answer to a server into an answer to its question. */
export const answerHere = (given: McpAnswer): Answer =>
  given.action === "accept"
    ? { answer: given.content ?? {}, by: "program" }
    : { answer: "no", by: given.action === "decline" ? "program" : "stop" };
