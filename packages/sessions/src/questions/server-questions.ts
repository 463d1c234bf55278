import type { Answer } from "@mdx-ai/loop";
import type { McpAnswer, McpQuestion } from "@mdx-ai/mcp";
import type { SessionQuestions } from "./session-questions.ts";

/** Finds the questions of a session; of the agent's own one without an id. */
type FindQuestions = (session: string | undefined) => SessionQuestions;

const NEVER: AbortSignal = new AbortController().signal;

/** The questions of MCP servers, which belong to the session whose call of the server began last. */
export class ServerQuestions {
  #find: FindQuestions | undefined;
  /** Ends the questions about sign-ins, by the names of servers. */
  readonly #signIns = new Map<string, (answer: Answer) => void>();

  /** To be called once, when the agent has sessions. */
  connect(find: FindQuestions): void {
    this.#find = find;
  }

  /** Asks the user of a session. Never rejects. */
  async ask(
    {
      server,
      request,
      session,
    }: { readonly server: string; readonly request: McpQuestion; readonly session?: string | undefined },
    signal: AbortSignal,
  ): Promise<McpAnswer> {
    const answer = await this.#find?.(session).askBeside({ kind: "elicitation", server, request }, signal);
    return answer === undefined ? { action: "cancel" } : mcpAnswer(answer);
  }

  /** The user signs in to a server at an address. */
  signIn(server: string, url: string, session: string | undefined): void {
    this.signedIn(server);
    const done = Promise.withResolvers<Answer>();
    this.#signIns.set(server, done.resolve);
    void this.#find?.(session).askBeside({ kind: "sign_in", server, url }, NEVER, { here: () => done.promise });
  }

  /** The sign-in to a server, if there is one, has ended. */
  signedIn(server: string): void {
    this.#signIns.get(server)?.({ answer: {}, by: "program" });
    this.#signIns.delete(server);
  }
}

function mcpAnswer({ answer, by }: Answer): McpAnswer {
  if (typeof answer === "object") return { action: "accept", content: answer };
  return { action: by === "stop" || by === "failure" ? "cancel" : "decline" };
}

/** What somebody at this process answered to a server, as an answer to its question. */
export const answerHere = (given: McpAnswer): Answer =>
  given.action === "accept"
    ? { answer: given.content ?? {}, by: "program" }
    : { answer: "no", by: given.action === "decline" ? "program" : "stop" };
