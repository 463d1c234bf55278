import type { AgentEvent, AskApproval } from "@mdx-ai/runtime";
import { Conversation } from "./conversation.ts";
import { NotATerminalError } from "./not-a-terminal-error.ts";
import type { SessionOptions } from "./session-options.ts";

/**
 * The conversation on a terminal. It is made before the agent is opened, so that its listeners can be given to
 * `openAgent`; what they hear before `run` is shown when `run` begins, and what is asked is asked then.
 */
interface InteractiveSession {
  /** For `AgentOptions.onBackgroundEvent`. */
  readonly onBackgroundEvent: (event: AgentEvent) => void;
  /** For `AgentOptions.onWarning`. */
  readonly onWarning: (message: string) => void;
  /** For `AgentOptions.onApproval`. */
  readonly onApproval: AskApproval;
  /**
   * Talks until the user leaves and gives the exit code: 0, or 128 + the number of the signal that ended it.
   * The terminal is as before when it settles. It does not close the agent.
   * Rejects with `NotATerminalError`, and as `Agent.messages` does where the session cannot be opened; what goes wrong
   * in a prompt is shown.
   */
  run(options: SessionOptions): Promise<number>;
}

type Happening = (conversation: Conversation) => void;

/** Touches nothing until `run`, which may be called once. */
export function createInteractiveSession(): InteractiveSession {
  const waiting: Happening[] = [];
  let conversation: Conversation | undefined;
  const happen = (happening: Happening): void => {
    if (conversation === undefined) {
      waiting.push(happening);
    } else {
      happening(conversation);
    }
  };
  return {
    onBackgroundEvent: (event) => happen((current) => current.showBackground(event)),
    onWarning: (message) => happen((current) => current.warn(message)),
    onApproval: (request, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        happen((current) => void current.ask(request, signal).then(resolve, reject));
      }),
    async run(options) {
      if (!isInteractive(options.environment)) {
        throw new NotATerminalError();
      }
      const messages = await options.agent.messages(options.session);
      conversation = new Conversation(options);
      return conversation.run(messages.length, waiting.splice(0));
    },
  };
}

/** Whether input and output are a terminal that can move its cursor. */
function isInteractive(environment: SessionOptions["environment"]): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && environment["TERM"] !== "dumb";
}
