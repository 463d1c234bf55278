import type { AgentEvent } from "@mdx-ai/runtime";
import { errorMessage } from "../failures/error-message.ts";
import { Hint } from "./hint.ts";
import { Interrupts } from "./interrupts.ts";
import { openScreen } from "./screen/open-screen.ts";
import type { Drawing, Screen, ScreenKey } from "./screen/screen.ts";
import type { SessionOptions } from "./session-options.ts";
import { reportCompaction, reportInfo } from "./session-reports.ts";
import { isSlashCommand, runSlashCommand, worksWhileRunning } from "./slash-commands.ts";
import { type Theme, themeOf } from "./theme.ts";
import { echoed } from "./view/echoed.ts";
import { headerText } from "./view/header.ts";
import { PromptView } from "./view/prompt-view.ts";
import { statusLine } from "./view/status.ts";
import { drawable, wrapped } from "./view/wrapped.ts";
import { watchWaysOut } from "./ways-out.ts";

const spinnerPause = 100;
/** Milliseconds that a prompt gets to show its end when the user leaves. */
const farewell = 500;

interface RunningPrompt {
  readonly controller: AbortController;
  /** Of `performance.now()`. */
  readonly since: number;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** One interactive session, from its header to the farewell. */
export class Conversation {
  readonly #options: SessionOptions;
  readonly #theme: Theme;
  readonly #screen: Screen;
  readonly #own: PromptView;
  readonly #background: PromptView;
  readonly #interrupts = new Interrupts();
  readonly #left = Promise.withResolvers<number>();
  #running: RunningPrompt | undefined;
  #backgroundSince = 0;
  readonly #hint = new Hint(() => this.#screen.refresh());

  /** Takes the terminal. */
  constructor(options: SessionOptions) {
    this.#options = options;
    this.#theme = themeOf(options.environment);
    this.#screen = openScreen({
      live: this.#drawLive,
      mark: this.#theme.accent("> "),
      onKey: (key) => this.#onKey(key),
    });
    this.#own = new PromptView({ screen: this.#screen, theme: this.#theme, showsUser: false });
    this.#background = new PromptView({ screen: this.#screen, theme: this.#theme, showsUser: true });
  }

  /**
   * Tells how many messages the session holds, does what waits, and then as the user says. Settles when the user has
   * left and the terminal is given back; gives the exit code.
   */
  async run(messages: number, waiting: readonly ((conversation: Conversation) => void)[]): Promise<number> {
    const unwatch = watchWaysOut({ leave: (code) => this.#leaveNow(code), restore: () => this.#screen.close() });
    const spinner = setInterval(() => this.#spin(), spinnerPause);
    try {
      this.#showHeader(messages);
      for (const happening of waiting) {
        happening(this);
      }
      const code = await this.#left.promise;
      await this.#stopRunning();
      return code;
    } finally {
      clearInterval(spinner);
      this.#hint.stop();
      await this.#screen.drain();
      unwatch();
    }
  }

  showBackground(event: AgentEvent): void {
    if (event.type === "agent_start") {
      this.#backgroundSince = performance.now();
    }
    this.#background.show(event);
  }

  warn(message: string): void {
    this.#append(this.#theme.warning(drawable(`Warning: ${message}`)));
  }

  #showHeader(messages: number): void {
    const { agent, session } = this.#options;
    this.#append(headerText({ agent, session, messages }, this.#theme));
    if (agent.model.notice !== undefined) {
      this.#append(this.#theme.warning(drawable(agent.model.notice)));
    }
  }

  readonly #drawLive: Drawing = (columns) => {
    const blocks = [...this.#background.draw(columns), ...this.#own.draw(columns)];
    const status = this.#statusText();
    return [...blocks, ...(blocks.length > 0 ? [""] : []), ...(status === "" ? [] : wrapped(status, columns))];
  };

  #statusText(): string {
    if (this.#hint.text !== "") {
      return this.#theme.warning(this.#hint.text);
    }
    if (this.#own.activity !== undefined && this.#running !== undefined) {
      return statusLine(this.#own.activity, this.#running.since, this.#theme);
    }
    if (this.#background.activity !== undefined) {
      return statusLine(`${this.#background.activity} in the background`, this.#backgroundSince, this.#theme);
    }
    return this.#own.spent === undefined ? "" : this.#theme.dim(this.#own.spent);
  }

  #spin(): void {
    if (this.#own.activity !== undefined || this.#background.activity !== undefined) {
      this.#screen.refresh();
    }
  }

  #onKey(key: ScreenKey): void {
    switch (key) {
      case "send":
        this.#send(this.#screen.text());
        return;
      case "interrupt":
        this.#interrupt();
        return;
      case "leave":
        this.#left.resolve(0);
        return;
      case "clear":
        this.#screen.clear();
        return;
    }
  }

  #send(text: string): void {
    this.#interrupts.forget();
    this.#hint.hide();
    if (text.trim() === "") {
      return;
    }
    if (this.#own.activity !== undefined && !worksWhileRunning(text)) {
      this.#hint.show("A prompt is running; send this when it has ended, or stop it with Ctrl+C");
      return;
    }
    this.#screen.remember(text);
    this.#screen.setText("");
    this.#screen.append(echoed(text, this.#theme));
    if (isSlashCommand(text)) {
      this.#command(text);
    } else {
      this.#prompt(text);
    }
  }

  #command(text: string): void {
    const { agent, session, skills } = this.#options;
    runSlashCommand(text, {
      skills,
      tell: (message) => this.#append(drawable(message)),
      info: async () => this.#append(drawable(await reportInfo(this.#options))),
      compact: () => this.#compact(),
      clear: () => agent.clear(session),
      prompt: (prompt) => this.#prompt(prompt),
      leave: () => this.#left.resolve(0),
    }).catch((error: unknown) => this.#append(this.#theme.failure(drawable(errorMessage(error)))));
  }

  #prompt(text: string): void {
    const controller = new AbortController();
    this.#own.wait();
    this.#running = { controller, since: performance.now(), done: this.#work(text, controller.signal) };
  }

  /**
   * The prompt is over for the user with its last event, although the agent may still have to put things away. One that
   * was taken back before its turn came is not shown.
   */
  async #work(text: string, signal: AbortSignal): Promise<void> {
    const { agent, session } = this.#options;
    try {
      for await (const event of agent.prompt(text, { session, signal })) {
        if (event.type === "agent_start" && signal.aborted) {
          return;
        }
        this.#own.show(event);
      }
    } catch (error) {
      this.#own.fail(errorMessage(error));
    }
  }

  #compact(): void {
    const controller = new AbortController();
    this.#own.begin("compacting");
    const tell = async (): Promise<void> => {
      try {
        this.#append(drawable(await reportCompaction(this.#options, controller.signal)));
      } catch (error) {
        const text = controller.signal.aborted
          ? this.#theme.warning("Stopped")
          : this.#theme.failure(drawable(errorMessage(error)));
        this.#append(text);
      }
      this.#own.rest();
    };
    this.#running = { controller, since: performance.now(), done: tell() };
  }

  #interrupt(): void {
    switch (this.#interrupts.press(performance.now(), this.#own.activity !== undefined)) {
      case "leave":
        this.#running?.controller.abort();
        this.#left.resolve(0);
        return;
      case "stop":
        this.#running?.controller.abort();
        this.#own.takeBack();
        this.#hint.show("Stopping; press Ctrl+C again to exit");
        return;
      case "warn":
        this.#screen.setText("");
        this.#hint.show("Press Ctrl+C again to exit");
        return;
    }
  }

  /** The terminal first: whoever sent the signal may not wait. */
  #leaveNow(code: number): void {
    this.#screen.close();
    this.#running?.controller.abort();
    this.#left.resolve(code);
  }

  async #stopRunning(): Promise<void> {
    this.#running?.controller.abort();
    await Promise.race([this.#running?.done, Bun.sleep(farewell)]);
  }

  #append(text: string): void {
    this.#screen.append((columns) => [...wrapped(text, columns), ""]);
  }
}
