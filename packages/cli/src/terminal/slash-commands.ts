import { didYouMean, errorMessage } from "@mdx-ai/base";
import { nameOf, skillNames, wordsOf } from "./command-texts.ts";
import { SessionCommand } from "./session-command.ts";
import type { CommandContext } from "./slash-command-context.ts";
import { slashCommands } from "./slash-command-table.ts";

export interface SlashCommandsOptions extends Omit<CommandContext, "sessions"> {
  /** Shows an answer, which may be untrusted. */
  readonly show: (answer: string) => void;
  /** Shows an error, which may be untrusted. */
  readonly fail: (message: string) => void;
}

/** Runs slash commands. The model does not receive them; their answers go to the session's log. */
export class SlashCommands {
  readonly #options: SlashCommandsOptions;
  readonly #sessions = new SessionCommand();

  constructor(options: SlashCommandsOptions) {
    this.#options = options;
  }

  /** Called on other input, which cancels a command's confirmation. */
  forget(): void {
    this.#sessions.forget();
  }

  /** Runs the command in a text. Never rejects. */
  async run(text: string): Promise<void> {
    const { dialogue, options, leave } = this.#options;
    if (nameOf(text) !== "/session") this.forget();
    let leaves = false;
    const later = (): void => {
      leaves = true;
    };
    const answer = await this.#answer(text, { ...this.#options, sessions: this.#sessions, leave: later });
    try {
      options.agent.session(dialogue.session).note({ name: nameOf(text), input: text, output: answer });
    } catch {
      // The session cannot be opened any more; its next use reports that.
    }
    if (leaves) leave();
  }

  async #answer(text: string, context: CommandContext): Promise<string> {
    const { show, fail } = this.#options;
    try {
      const answer = await answerOf(text, context);
      if (answer !== "") show(answer);
      return answer;
    } catch (error) {
      const message = errorMessage(error);
      fail(message);
      return message;
    }
  }
}

/** The answer of a command; a hint if the command does not exist. */
async function answerOf(text: string, context: CommandContext): Promise<string> {
  const command = commandOf(text);
  if (command !== undefined) return command.run(context, wordsOf(text));
  const hint = ELSEWHERE[nameOf(text)];
  if (hint !== undefined) return `There is no command ${nameOf(text)}; ${hint}`;
  const names = [...slashCommands.map(({ name }) => name), ...skillNames(context.options.skills)];
  return `There is no command ${nameOf(text)}; ${didYouMean(nameOf(text), names, "/help shows all")}`;
}

/** Where the things of other programs' commands are here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "/bashes": "!COMMAND runs a command of yours, and Esc stops it",
  "/config": "your settings are in settings.yaml (docs/permissions.md); /theme, /vim and /tool output are set here",
  "/context": "/info shows how full the window is, and /compact makes room",
  "/cost": "/info shows tokens and cost, and the footer sums them up",
  "/doctor": "mdx-ai check DIR looks for mistakes, mdx-ai models DIR for keys, mdx-ai sandbox DIR for the sandbox",
  "/login": "set the key of a vendor as a variable; mdx-ai models DIR says which ones are missing",
  "/logout": "remove the key of the vendor from the environment; mdx-ai models DIR says where it comes from",
  "/plan": "/mode plan lets tools only read; Shift+Tab changes the mode",
  "/settings": "your settings are in settings.yaml (docs/permissions.md); /theme, /vim and /tool output are set here",
  "/status": "/info shows model, session, tokens and cost",
  "/tools": "/tool list shows them",
  "/usage": "/info shows tokens and cost",
};

/** Whether the command cannot run during a prompt. */
export function mustWait(text: string): boolean {
  const command = commandOf(text);
  return command === undefined || (command.mustWait?.(wordsOf(text)) ?? false);
}

const commandOf = (text: string): (typeof slashCommands)[number] | undefined =>
  slashCommands.find(({ name }) => name === nameOf(text));
