import { plainLine } from "@mdx-ai/directory/text";
import type { Message } from "@mdx-ai/models";
import { SIGNAL_EXIT_CODE } from "../failures/program-error.ts";
import { drawable, wrapped } from "../output/line-layout.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import { ApprovalQuestions } from "./approval-questions.ts";
import { isCommand } from "./command-texts.ts";
import { ConversationCore } from "./conversation-core.ts";
import type { ConversationFace } from "./conversation-face.ts";
import { Footer } from "./footer.ts";
import { completionOf } from "./input/command-words.ts";
import { PromptInput } from "./input/prompt-input.ts";
import { Hint, watchWaysOut } from "./interrupts.ts";
import { ListQuestions } from "./list-questions.ts";
import { modeLine, nextMode } from "./permissions-text.ts";
import { openScreen } from "./screen/open-screen.ts";
import type { Drawing, Screen, ScreenKey } from "./screen/screen.ts";
import type { SessionOptions } from "./session-options.ts";
import { chosenTheme } from "./theme-choice.ts";
import { echoed, headerText, statusLine } from "./view/lines.ts";
import { ToolOutput } from "./view/tool-output.ts";

/** Milliseconds between spinner frames. */
const SPINNER_PAUSE = 100;

/** A conversation on the terminal, drawn above and around an input line. */
export class Conversation {
  readonly core: ConversationCore;
  readonly #options: SessionOptions;
  readonly #theme: Theme;
  readonly #screen: Screen;
  readonly #questions: ApprovalQuestions;
  readonly #lists: ListQuestions;
  readonly #input: PromptInput;
  readonly #footer: Footer;
  readonly #output: ToolOutput;
  readonly #hint = new Hint(() => this.#screen.refresh());
  #title = "";

  /** Takes over the terminal. */
  constructor(options: SessionOptions) {
    const { agent, dataDir, environment, terminal, workspace } = options;
    const theme = themeOf(environment, chosenTheme(environment, terminal.theme));
    this.#options = options;
    this.#theme = theme;
    this.#output = new ToolOutput({ mode: terminal.tool_output });
    const screen = openScreen({
      live: this.#drawLive,
      theme,
      completion: completionOf(options),
      onPaste: (text) => this.#input.pasted(text),
      onMove: (entries) => this.#input.move(entries) || this.#lists.move(entries),
      footer: (columns) => this.#footer.draw(columns),
      isOneLine: (text) => isCommand(text, options.skills),
      onKey: (key) => this.#onKey(key),
      onTyped: (character) => {
        this.core.attention.typed();
        return !this.#lists.isOpen && this.#questions.typed(character);
      },
    });
    this.#screen = screen;
    this.core = new ConversationCore(options, this.#face());
    const { isBackground, onQuestion } = this.core;
    this.#questions = new ApprovalQuestions({ screen, theme, isBackground, onOpen: onQuestion });
    this.#lists = new ListQuestions(screen, theme);
    this.#input = new PromptInput({
      ...options,
      ...{ theme, screen, ask: this.core.askUser },
      session: () => this.core.dialogue.session,
      warn: (message) => this.core.warn(message),
      hint: (text) => this.#hint.show(text),
    });
    this.#footer = new Footer({
      ...{ agent, dataDir, workspace, theme, home: environment["HOME"], style: terminal.statusbar ?? "full" },
      session: () => this.core.dialogue.session,
      model: () => this.core.dialogue.model,
      onChange: () => {
        this.#showTitle();
        screen.refresh();
      },
    });
  }

  /** As `ConversationCore.run`. Restores the terminal before it settles. */
  async run(messages: readonly Message[], onBegun: () => void): Promise<number> {
    const unwatch = watchWaysOut({
      leave: (code) => this.#leaveOnSignal(code),
      restore: () => this.#screen.close(),
      isClaimed: (error) => this.#options.isClaimed?.(error) === true,
    });
    const spinner = setInterval(() => this.#spin(), SPINNER_PAUSE);
    try {
      this.#showTitle();
      if (messages.length > 0) this.#footer.refresh();
      return await this.core.run(messages, onBegun);
    } finally {
      clearInterval(spinner);
      for (const part of [this.#hint, this.#questions, this.#footer, this.core.attention]) part.stop();
      await this.#screen.drain();
      await this.#input.close();
      unwatch();
    }
  }

  #face(): ConversationFace {
    const { agent } = this.#options;
    const [screen, theme] = [this.#screen, this.#theme];
    const append = (text: string): void => screen.append((columns) => [...wrapped(text, columns), ""]);
    return {
      ...{ theme, screen, output: this.#output },
      say: (text, tone) => append(tone === undefined ? drawable(text) : theme[tone](drawable(text))),
      hint: (text) => this.#hint.show(text),
      header: (messages, isFirst) => {
        const { session, model } = this.core.dialogue;
        const keys = theme.dim("Enter sends, Ctrl+J starts a new line, /help shows more");
        append(`${headerText({ agent, model, session, messages }, theme)}${isFirst ? `\n${keys}` : ""}`);
      },
      // Deferred, so that the first drawing does not wait for it.
      ready: () => void setTimeout(() => this.#input.loadHistory(), 0),
      echo: (drawing) => screen.append(drawing),
      said: (_text, drawing) => drawing,
      giveBack: (texts) => this.#giveBack(texts),
      retype: (text) => {
        if (screen.text() === "") screen.setText(text);
      },
      heard: (event) => this.#footer.heard(event),
      idle: () => screen.setText(""),
      questions: () => this.#questions,
      lists: () => this.#lists,
      input: () => this.#input,
      columns: () => screen.columns(),
      send: (sequence) => screen.signal(sequence),
      toggleVi: () => this.#input.toggleVi(),
    };
  }

  readonly #drawLive: Drawing = (columns) => {
    const { background, dialogue, own } = this.core;
    const blocks = [background, own, dialogue].flatMap((part) => part.draw(columns));
    const status = this.#statusText();
    const todo =
      own.activity === undefined ? [] : this.core.todo.draw({ columns, rows: this.#screen.rows() }, this.#theme);
    const parts = [blocks, todo].filter((part) => part.length > 0);
    const above = parts.flatMap((part) => [...part, ""]);
    const input = this.#input.draw(columns);
    const asked = this.#lists.isOpen ? this.#lists.draw(columns) : this.#questions.draw(columns);
    return [...above, ...asked, ...input, ...(status === "" ? [] : wrapped(status, columns))];
  };

  #statusText(): string {
    const { background, own } = this.core;
    if (this.#hint.text !== "") return this.#theme.warning(this.#hint.text);
    if (this.#questions.isOpen || this.#lists.isOpen) return "";
    if (own.activity !== undefined) return statusLine(own.activity, own.since, this.#theme);
    if (background.activity !== undefined) {
      return statusLine(`${background.activity} in the background`, background.since, this.#theme);
    }
    return own.spent === undefined ? "" : this.#theme.dim(own.spent);
  }

  #spin(): void {
    const { background, own } = this.core;
    const isActive = own.activity !== undefined || background.activity !== undefined;
    if (isActive && !this.#questions.isOpen) this.#screen.refresh();
  }

  #onKey(key: ScreenKey): void {
    this.core.attention.typed();
    this.#actions[key]();
  }

  readonly #actions: Readonly<Record<ScreenKey, () => void>> = {
    mode: () => this.#hint.show(modeLine(nextMode(this.#options.agent, this.core.dialogue.session))),
    send: () => {
      if (this.#input.endSearch(true) || this.#lists.enter() || this.#questions.enter()) return;
      this.#send(this.#screen.text());
    },
    stop: () => {
      if (this.#input.endSearch(false) || this.#lists.dismiss()) return;
      if (this.#questions.dismiss() || this.#input.shell.stop()) return;
      this.core.dialogue.stop();
    },
    search: () => this.#input.search(),
    edit: () => void this.#input.edit(),
    suspend: () => this.#input.suspend(),
    interrupt: () => {
      this.#input.endSearch(false);
      this.core.interrupt();
    },
    leave: () => this.core.leave(0),
    clear: () => this.#screen.clear(),
    expand: () => this.#expand(),
    image: () => void this.#input.pasteImage(),
  };

  /** Names the window after the agent and the session. */
  #showTitle(): void {
    const title = `${this.#options.agent.name} ${this.#theme.dash} ${this.#footer.title}`;
    if (title === this.#title) return;
    this.#title = title;
    this.#screen.setTitle(title);
  }

  /** Shows the last shortened block in full. */
  #expand(): void {
    const whole = this.#output.expand();
    if (whole === undefined) this.#hint.show("Nothing else was shortened");
    else this.#screen.append(whole);
  }

  #send(text: string): void {
    this.core.typed();
    this.#hint.hide();
    if (text.trim() === "" || this.#input.runShell(text)) return;
    const kind = this.core.kindOf(text);
    if (kind === "later") {
      this.#hint.show("A prompt is running; send this when it has ended, or stop it with Esc");
      return;
    }
    this.#input.remember(text);
    this.#screen.setText("");
    if (kind === "prompt") {
      this.core.say(text);
      return;
    }
    this.#screen.append(echoed(text, this.#theme));
    // The command may delete the session.
    this.#footer.stop();
    void this.core.commands.run(text).then(() => this.#footer.refresh());
  }

  /** Puts unsent text back into the input, before what is typed there. */
  #giveBack(texts: readonly string[]): void {
    if (texts.length === 0) return;
    if (this.core.isLeaving) {
      for (const text of texts) this.#screen.append((columns) => [...wrapped(this.#notSent(text), columns), ""]);
      return;
    }
    this.#screen.setText([...texts, this.#screen.text()].filter((text) => text !== "").join("\n\n"));
  }

  #notSent(text: string): string {
    return this.#theme.warning(`Not sent: ${plainLine(text)}`);
  }

  /** Ctrl+C in a program that owns the terminal reaches this process, too. Restores the terminal first, since the sender may not wait. */
  #leaveOnSignal(code: number): void {
    if (this.#input.isAway && code === SIGNAL_EXIT_CODE.SIGINT) return;
    this.#screen.close();
    this.core.leave(code);
  }
}
