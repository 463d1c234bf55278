import type { ReloadListener } from "@mdx-ai/directory";
import type { AgentOptions } from "@mdx-ai/runtime";
import { UsageError } from "../failures/program-error.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationCore } from "./conversation-core.ts";
import type { PlainConversation } from "./plain/plain-conversation.ts";
import type { SessionOptions } from "./session-options.ts";

type Listeners = Required<
  Pick<
    AgentOptions,
    "onBackgroundEvent" | "onLog" | "onWarning" | "onApproval" | "onBudget" | "onServerQuestion" | "onSignIn"
  >
>;

/**
 * A conversation on a terminal. Created before the agent is opened, so that its listeners can be passed to `openAgent`. Events and
 * questions before `run` wait until it starts.
 */
interface InteractiveSession extends Listeners {
  /** For the agent's reloader. */
  readonly onReload: ReloadView;
  /**
   * Runs until the user leaves. Returns the exit code: 0, or 128 + the signal's number. Restores the terminal and does not close the agent.
   * Rejects with `UsageError` without a terminal, and as `Session.messages` does; failures of prompts are shown.
   */
  run(options: SessionOptions): Promise<number>;
}

/** Shows the results of a reload and asks the user. */
interface ReloadView extends Pick<ReloadListener, "reloaded" | "askTrust"> {
  /** The files have errors; untrusted text with several lines. */
  broken(diagnostics: string): void;
}

/** Does nothing until `run`, which may be called once. */
export function createInteractiveSession(): InteractiveSession {
  const opened = Promise.withResolvers<ConversationCore>();
  const happen = (happening: (conversation: ConversationCore) => void): void => void opened.promise.then(happening);
  const asked = <Answer>(ask: (current: ConversationCore) => Promise<Answer>, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const takeBack = (): void => reject(signal.reason);
      const forget = (): void => signal.removeEventListener("abort", takeBack);
      signal.addEventListener("abort", takeBack, { once: true });
      happen((current) => void ask(current).then(resolve, reject).finally(forget));
    });
  return {
    onBackgroundEvent: (event) => happen((current) => current.showBackground(event)),
    onLog: (line) => happen((current) => current.debug(line)),
    onWarning: (message) => happen((current) => current.warn(message)),
    onApproval: (request, signal) => asked((current) => current.ask(request, signal), signal),
    onBudget: (budget, signal) => asked((current) => current.askBudget(budget, signal), signal),
    onServerQuestion: (server, question, signal) =>
      asked((current) => current.askServer(server, question, signal), signal),
    onSignIn: (server, url) => happen((current) => current.signIn(server, url)),
    onReload: {
      reloaded: () => happen((current) => current.reloaded()),
      broken: (diagnostics) => happen((current) => current.broken(diagnostics)),
      askTrust: (changes, signal) => asked((current) => current.askTrust(changes, signal), signal),
    },
    async run(options) {
      if (!isOnTerminal()) throw new UsageError("a conversation needs a terminal; give one prompt with --prompt TEXT");
      const messages = await options.agent.session(options.session).messages();
      const open = options.isPlain ? await openPlain(options) : new Conversation(options);
      return open.run(messages, () => opened.resolve(open.core));
    },
  };
}

async function openPlain(options: SessionOptions): Promise<PlainConversation> {
  const { PlainConversation: Plain } = await import("./plain/plain-conversation.ts");
  return new Plain(options);
}

/** Whether input and output are a terminal. */
export const isOnTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;
