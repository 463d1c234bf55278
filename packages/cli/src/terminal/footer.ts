import { type AssistantMessage, inputTokens, type LanguageModel } from "@mdx-ai/models";
import type { StatusbarStyle } from "@mdx-ai/parser";
import { type Agent, type AgentEvent, sessionSummary } from "@mdx-ai/runtime";
import type { Theme } from "../output/theme.ts";
import type { Drawing } from "./screen/screen.ts";
import { type FooterFacts, footerLine, type Traffic } from "./view/footer-line.ts";

export interface FooterOptions {
  readonly agent: Agent;
  /** Holds the sessions; absent if the agent keeps none. Absolute. */
  readonly dataDir: string | undefined;
  readonly workspace: string | undefined;
  readonly home: string | undefined;
  readonly style: StatusbarStyle;
  readonly theme: Theme;
  /** The id of the current session. */
  readonly session: () => string;
  /** The model of the next prompts. */
  readonly model: () => LanguageModel;
  /** Something that the line shows has changed. */
  readonly onChange: () => void;
}

/** Milliseconds: what the line shows is read while nothing else happens. */
const PAUSE = 100;
const NOTHING: Traffic = { input: 0, output: 0 };

/** The line below the input, and the title of the session. */
export class Footer {
  readonly #options: FooterOptions;
  #title = "";
  #context: FooterFacts["context"];
  /** Of the session, without what the running prompt has used. */
  #spent = { ...NOTHING, usd: 0 };
  #running = NOTHING;
  #traffic = NOTHING;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FooterOptions) {
    this.#options = options;
  }

  /** The title of the session; its id if it has none. */
  get title(): string {
    return this.#title === "" ? this.#options.session() : this.#title;
  }

  /** Takes note of what a prompt of the session uses. */
  heard(event: AgentEvent): void {
    if (event.type === "message_end" && event.message.role === "assistant") this.#count(event.message);
    if (event.type === "agent_end") this.refresh();
  }

  /** The session is another one, or its content has changed. */
  refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), PAUSE);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly draw: Drawing = (columns) => {
    const { style, theme } = this.#options;
    const line = footerLine(this.#facts(), style, { columns, theme });
    return line === undefined ? [] : [line];
  };

  #count({ usage }: AssistantMessage): void {
    const traffic = { input: inputTokens(usage), output: usage.output };
    if (traffic.input > 0) this.#context = { ...this.#context, tokens: traffic.input };
    this.#running = sum(this.#running, traffic);
    this.#traffic = sum(this.#traffic, traffic);
    this.#options.onChange();
  }

  /** A session that cannot be read leaves the line as it is. */
  async #read(): Promise<void> {
    const { agent, dataDir, style, onChange, session, model } = this.#options;
    const id = session();
    try {
      const summary = dataDir === undefined ? undefined : sessionSummary(dataDir, id);
      this.#title = summary?.state === "readable" ? summary.title : "";
      const { session: cost, context } = await agent.info(id, model());
      if (id !== session()) return;
      this.#spent = { input: inputTokens(cost.usage), output: cost.usage.output, usd: cost.usd };
      this.#running = NOTHING;
      const isNew = cost.calls === 0;
      if (style !== "birdie") this.#context = isNew ? undefined : { tokens: context.tokens, window: context.window };
    } catch {
      return;
    }
    onChange();
  }

  #facts(): FooterFacts {
    const { agent, workspace, home, session } = this.#options;
    const { provider: vendor, name: model } = this.#options.model();
    return {
      ...{ vendor, model, workspace, home, session: session(), title: this.#title },
      mode: agent.modeOf(session()),
      context: this.#context,
      spent: { ...sum(this.#spent, this.#running), usd: this.#spent.usd },
      traffic: this.#traffic,
    };
  }
}

const sum = (one: Traffic, other: Traffic): Traffic => ({
  input: one.input + other.input,
  output: one.output + other.output,
});
