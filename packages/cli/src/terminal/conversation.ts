import type { ManifestChange, TrustAnswer } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { Message } from "@mdx-ai/models";
import type { AgentEvent, AnswerServer, ApprovalAnswer, ApprovalRequest, McpAnswer } from "@mdx-ai/runtime";
import { dataLayout } from "@mdx-ai/runtime/layout";
import { SIGNAL_EXIT_CODE } from "../failures/program-error.ts";
import { signInText } from "../mcp/server-listeners.ts";
import { drawable, wrapped } from "../output/line-layout.ts";
import { type Theme, themeOf } from "../output/theme.ts";
import { ApprovalQuestions } from "./approval-questions.ts";
import { Attention } from "./attention.ts";
import { Dialogue } from "./dialogue.ts";
import { sayFarewell } from "./farewell.ts";
import { Footer } from "./footer.ts";
import { CommandWords, ServerWords } from "./input/command-words.ts";
import { PromptInput } from "./input/prompt-input.ts";
import { Hint, Interrupts, watchWaysOut } from "./interrupts.ts";
import { ListQuestions } from "./list-questions.ts";
import { LocalCommands } from "./local-commands.ts";
import { modeLine, nextMode } from "./permissions-text.ts";
import { trustQuestion } from "./question-queue.ts";
import { InputCompletion } from "./screen/input-completion.ts";
import { openScreen } from "./screen/open-screen.ts";
import type { Drawing, Screen, ScreenKey } from "./screen/screen.ts";
import { WorkspaceFiles } from "./screen/workspace-files.ts";
import type { SessionOptions } from "./session-options.ts";
import { pendingText } from "./session-reports.ts";
import { completedCommands, isSkillCommand, isSlashCommand, worksWhileRunning } from "./slash-commands.ts";
import { chosenTheme } from "./theme-choice.ts";
import { echoed, headerText, inBackground, lastExchanges, statusLine } from "./view/lines.ts";
import { PromptView } from "./view/prompt-view.ts";
import { ToolOutput } from "./view/tool-output.ts";

const NEVER: AbortSignal = new AbortController().signal;
const spinnerPause = 100;

/** One conversation on the terminal, from its header to the farewell. */
export class Conversation {
  readonly #options: SessionOptions;
  readonly #theme: Theme;
  readonly #screen: Screen;
  readonly #own: PromptView;
  readonly #background: PromptView;
  readonly #dialogue: Dialogue;
  readonly #questions: ApprovalQuestions;
  readonly #lists: ListQuestions;
  readonly #commands: LocalCommands;
  readonly #input: PromptInput;
  readonly #footer: Footer;
  readonly #attention: Attention;
  readonly #output = new ToolOutput();
  readonly #interrupts = new Interrupts();
  readonly #left = Promise.withResolvers<number>();
  readonly #hint = new Hint(() => this.#screen.refresh());
  #isLeaving = false;
  #title = "";

  /** Takes the terminal. */
  constructor(options: SessionOptions) {
    this.#options = options;
    const { environment, terminal } = options;
    const theme = themeOf(environment, chosenTheme(environment, terminal.theme));
    this.#theme = theme;
    const { folder } = options;
    const screen = openScreen({
      live: this.#drawLive,
      theme,
      completion: this.#completion(folder),
      onPaste: (text) => this.#input.pasted(text),
      onMove: (entries) => this.#input.move(entries) || this.#lists.move(entries),
      footer: (columns) => this.#footer.draw(columns),
      onKey: (key) => this.#onKey(key),
      onTyped: (character) => {
        this.#attention.typed();
        return !this.#lists.isOpen && this.#questions.typed(character);
      },
    });
    this.#screen = screen;
    this.#input = new PromptInput({
      ...options,
      ...{ theme, screen },
      ask: (asked) => this.#questions.queue.ask(asked, NEVER),
      warn: (message) => this.warn(message),
      hint: (text) => this.#hint.show(text),
    });
    this.#attention = new Attention({ way: terminal.notify ?? "bell", write: (text) => screen.signal(text) });
    this.#footer = new Footer({
      ...{ agent: options.agent, dataDir: options.dataDir, workspace: options.workspace, theme },
      home: environment["HOME"],
      style: terminal.statusbar ?? "full",
      session: () => this.#dialogue.session,
      model: () => this.#dialogue.model,
      onChange: () => this.#onFooter(),
    });
    const shown = { screen, theme, output: this.#output, redact: (text: string) => options.redact(text) };
    this.#own = new PromptView({ ...shown, said: (text) => this.#dialogue.said(text) });
    this.#background = new PromptView({ ...shown, said: (text) => inBackground(text, theme) });
    this.#dialogue = new Dialogue(
      {
        agent: options.agent,
        theme,
        prepare: this.#input.prepare,
        view: this.#own,
        show: (drawing) => screen.append(drawing),
        giveBack: (texts) => this.#giveBack(texts),
        fail: (message) => this.#fail(message),
        heard: (event) => this.#heard(event),
      },
      options.session,
    );
    const isBackground = (id: string): boolean => this.#background.isRunning(id) && !this.#own.isRunning(id);
    this.#questions = new ApprovalQuestions({
      screen,
      theme,
      isBackground,
      onOpen: (isOpen) => this.#onQuestion(isOpen),
    });
    this.#lists = new ListQuestions(screen, theme);
    this.#commands = new LocalCommands({
      options,
      ...{ choose: this.#lists.choose, columns: () => screen.columns(), send: (sequence) => screen.signal(sequence) },
      confirm: async (question) => (await this.#questions.queue.ask(question, NEVER)).answer !== "no",
      grants: () => this.#questions.queue.grants,
      output: this.#output,
      dialogue: this.#dialogue,
      theme,
      show: (answer) => this.#append(drawable(answer)),
      fail: (message) => this.#fail(message),
      toggleVi: () => this.#input.toggleVi(),
      enter: (session) => this.#enter(session),
      leave: () => this.#left.resolve(0),
    });
  }

  /**
   * Shows how many messages the session has and the last of them, finishes pending prompts, then handles the user's input. Resolves to the exit code
   * when the user has left and the terminal is restored.
   */
  async run(messages: readonly Message[], waiting: readonly ((conversation: Conversation) => void)[]): Promise<number> {
    const unwatch = watchWaysOut({ leave: (code) => this.#leaveOnSignal(code), restore: () => this.#screen.close() });
    const spinner = setInterval(() => this.#spin(), spinnerPause);
    try {
      this.#showHeader(messages.length);
      this.#showLast(messages);
      this.#showTitle();
      if (messages.length > 0) this.#footer.refresh();
      for (const happening of waiting) {
        happening(this);
      }
      // After the first drawing: it must not wait for this.
      setTimeout(() => this.#input.loadHistory(), 0);
      await this.#takeUp(this.#options.resumes);
      const code = await this.#left.promise;
      this.#isLeaving = true;
      this.#input.shell.stop();
      const append = (text: string): void => this.#append(text);
      await sayFarewell({ options: this.#options, dialogue: this.#dialogue, theme: this.#theme, append });
      return code;
    } finally {
      clearInterval(spinner);
      this.#hint.stop();
      this.#questions.stop();
      this.#footer.stop();
      this.#attention.stop();
      await this.#screen.drain();
      await this.#input.settled();
      unwatch();
    }
  }

  showBackground(event: AgentEvent): void {
    this.#background.show(event);
  }

  /** Asks the user about a call. Rejects when `signal` fires. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return this.#questions.queue.askAbout(request, signal);
  }

  /** Answers a question of an MCP server with the user's help. Rejects when `signal` fires. */
  async askServer(...[server, question, signal]: Parameters<AnswerServer>): Promise<McpAnswer> {
    const { answerWith } = await import("../mcp/ask-server-question.ts");
    return answerWith((asked, stop) => this.#questions.queue.ask(asked, stop))(server, question, signal);
  }

  /** Asks whether code that has changed may run. Rejects when `signal` fires. */
  async askTrust(changes: readonly ManifestChange[], signal: AbortSignal): Promise<TrustAnswer> {
    const { answer } = await this.#questions.queue.ask(trustQuestion(changes), signal);
    return answer === "always" || answer === "no" ? answer : "once";
  }

  /** The agent now matches its files. */
  reloaded(): void {
    this.#append(this.#theme.dim(`${plainLine(this.#options.agent.name)} now matches its files`));
  }

  /** The files of the agent have errors. */
  broken(diagnostics: string): void {
    this.#append(`${drawable(diagnostics)}\n${this.#theme.warning("The agent stays as it was until this is fixed")}`);
  }

  /** A line of the log, for who looks for a fault. */
  debug(line: string): void {
    this.#append(this.#theme.dim(drawable(`debug: ${line}`)));
  }

  /** An MCP server wants a sign-in, at an address that must stay whole: it is shown as it is. */
  signIn(server: string, url: string): void {
    this.#append(this.#theme.warning(drawable(signInText(server, url))));
  }

  warn(message: string): void {
    this.#append(this.#theme.warning(drawable(`Warning: ${message}`)));
  }

  #showHeader(messages: number): void {
    const { model } = this.#dialogue;
    const keys = this.#theme.dim("Enter sends, Ctrl+J starts a new line, /help shows more");
    this.#append(`${this.#header(messages)}\n${keys}`);
    if (model.notice !== undefined) {
      this.#append(this.#theme.warning(drawable(model.notice)));
    }
  }

  #header(messages: number): string {
    const { session, model } = this.#dialogue;
    return headerText({ agent: this.#options.agent, model, session, messages }, this.#theme);
  }

  /** Reports the prompts that an earlier process did not finish. */
  async #takeUp(resumes: boolean): Promise<void> {
    const pendingPrompts = await this.#options.agent.pendingPrompts(this.#dialogue.session);
    const text = pendingText(pendingPrompts, resumes);
    if (text !== undefined) this.#append(this.#theme.warning(drawable(text)));
    else if (resumes && !this.#options.isPicked) this.#append("There is nothing to resume.");
    if (resumes && pendingPrompts.length > 0) this.#dialogue.resume();
  }

  readonly #drawLive: Drawing = (columns) => {
    const blocks = [this.#background, this.#own, this.#dialogue].flatMap((part) => part.draw(columns));
    const status = this.#statusText();
    const above = [...blocks, ...(blocks.length > 0 ? [""] : [])];
    const input = this.#input.draw(columns);
    const asked = this.#lists.isOpen ? this.#lists.draw(columns) : this.#questions.draw(columns);
    return [...above, ...asked, ...input, ...(status === "" ? [] : wrapped(status, columns))];
  };

  #statusText(): string {
    if (this.#hint.text !== "") {
      return this.#theme.warning(this.#hint.text);
    }
    if (this.#questions.isOpen || this.#lists.isOpen) {
      return "";
    }
    if (this.#own.activity !== undefined) {
      return statusLine(this.#own.activity, this.#own.since, this.#theme);
    }
    if (this.#background.activity !== undefined) {
      return statusLine(`${this.#background.activity} in the background`, this.#background.since, this.#theme);
    }
    return this.#own.spent === undefined ? "" : this.#theme.dim(this.#own.spent);
  }

  #spin(): void {
    const isActive = this.#own.activity !== undefined || this.#background.activity !== undefined;
    if (isActive && !this.#questions.isOpen) {
      this.#screen.refresh();
    }
  }

  #onKey(key: ScreenKey): void {
    this.#attention.typed();
    switch (key) {
      case "mode":
        this.#hint.show(modeLine(nextMode(this.#options.agent, this.#dialogue.session)));
        return;
      case "send":
        if (this.#input.endSearch(true) || this.#lists.enter() || this.#questions.enter()) return;
        this.#send(this.#screen.text());
        return;
      case "stop":
        if (this.#input.endSearch(false) || this.#lists.dismiss()) return;
        if (this.#questions.dismiss() || this.#input.shell.stop()) return;
        this.#dialogue.stop();
        return;
      case "search":
        this.#input.search();
        return;
      case "edit":
        void this.#input.edit();
        return;
      case "suspend":
        this.#input.suspend();
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
      case "expand":
        this.#expand();
        return;
    }
  }

  #heard(event: AgentEvent): void {
    if (event.type === "agent_start") this.#attention.promptBegan();
    if (event.type === "agent_end") this.#attention.promptEnded();
    this.#footer.heard(event);
  }

  #onQuestion(isOpen: boolean): void {
    if (isOpen) this.#attention.questionOpened();
    else this.#attention.questionClosed();
  }

  #onFooter(): void {
    this.#showTitle();
    this.#screen.refresh();
  }

  /** The window is named after the agent and the session. */
  #showTitle(): void {
    const title = `${this.#options.agent.name} ${this.#theme.dash} ${this.#footer.title}`;
    if (title === this.#title) return;
    this.#title = title;
    this.#screen.setTitle(title);
  }

  /** Shows the whole of the last block that was shortened. */
  #expand(): void {
    const whole = this.#output.expand();
    if (whole === undefined) this.#hint.show("Nothing more was shortened");
    else this.#screen.append(whole);
  }

  #send(text: string): void {
    this.#interrupts.forget();
    this.#hint.hide();
    if (text.trim() === "") {
      return;
    }
    if (this.#input.runShell(text)) return;
    const isCommand = isSlashCommand(text) && !isSkillCommand(text, this.#options.skills);
    if (isCommand && this.#dialogue.isBusy && !worksWhileRunning(text)) {
      this.#hint.show("A prompt is running; send this when it has ended, or stop it with Esc");
      return;
    }
    this.#input.remember(text);
    this.#screen.setText("");
    if (isCommand) {
      this.#screen.append(echoed(text, this.#theme));
      // A command may delete the session.
      this.#footer.stop();
      void this.#commands.run(text).then(() => this.#footer.refresh());
    } else {
      this.#commands.forget();
      this.#dialogue.say(text);
    }
  }

  async #enter(session: string): Promise<void> {
    const messages = await this.#options.agent.messages(session);
    this.#dialogue.enter(session);
    this.#append(this.#header(messages.length));
    this.#showLast(messages);
    await this.#takeUp(false);
  }

  /** Reminds the user of a conversation that continues. */
  #showLast(messages: readonly Message[]): void {
    for (const drawing of lastExchanges(messages, this.#theme)) this.#screen.append(drawing);
  }

  /** Also answers an open question with no. */
  #interrupt(): void {
    this.#input.endSearch(false);
    if (this.#lists.dismiss()) return;
    this.#questions.dismiss();
    if (this.#input.shell.stop()) {
      this.#interrupts.press(performance.now(), true);
      this.#hint.show("Stopping the command; press Ctrl+C again to exit");
      return;
    }
    switch (this.#interrupts.press(performance.now(), this.#dialogue.isBusy)) {
      case "leave":
        this.#left.resolve(0);
        return;
      case "stop":
        this.#dialogue.stop();
        this.#hint.show("Stopping; press Ctrl+C again to exit");
        return;
      case "warn":
        this.#screen.setText("");
        this.#hint.show("Press Ctrl+C again to exit");
        return;
    }
  }

  /** Puts text that was not sent back into the input, before what is typed there. */
  #giveBack(texts: readonly string[]): void {
    if (texts.length === 0) return;
    if (this.#isLeaving) {
      for (const text of texts) this.#append(this.#theme.warning(`Not sent: ${plainLine(text)}`));
      return;
    }
    this.#screen.setText([...texts, this.#screen.text()].filter((text) => text !== "").join("\n\n"));
  }

  /** Ctrl+C in a program that has the terminal reaches this process, too. */
  #leaveOnSignal(code: number): void {
    if (this.#input.isAway && code === SIGNAL_EXIT_CODE.SIGINT) return;
    this.#leaveNow(code);
  }

  #completion(folder: string): InputCompletion {
    const { models, dataDir, redact } = this.#options;
    const words = new CommandWords(() => ({ dataDir, models, redact }));
    // The agent's own records are no files to talk about.
    const { sessions, state, logs } = dataLayout(dataDir ?? folder);
    const leftOut = [sessions, state, logs];
    const servers = new ServerWords(this.#options.agent);
    const commands = () => [...completedCommands(this.#options.skills, words), ...servers.prompts()];
    const resources = () => servers.resources();
    return new InputCompletion({ commands, resources, files: new WorkspaceFiles(folder, leftOut), folder });
  }

  /** The terminal first, since the sender of the signal may not wait. */
  #leaveNow(code: number): void {
    this.#screen.close();
    this.#left.resolve(code);
  }

  #fail(message: string): void {
    this.#append(this.#theme.failure(drawable(message)));
  }

  #append(text: string): void {
    this.#screen.append((columns) => [...wrapped(text, columns), ""]);
  }
}
