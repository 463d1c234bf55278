import { plainLine } from "@mdx-ai/directory/text";
import { counted, dollars, grouped } from "@mdx-ai/directory/views/figures";
import type { AgentEvent } from "@mdx-ai/loop";
import { type AssistantMessage, inputTokens, type LanguageModel } from "@mdx-ai/models";
import type { PermissionMode, StatusbarStyle } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import { sessionSummary } from "@mdx-ai/sessions";
import { cutEnd, shortPath } from "../output/line-layout.ts";
import type { Theme } from "../output/theme.ts";
import type { Drawing } from "./screen/screen.ts";

export interface FooterOptions {
  readonly agent: Agent;
  /** The folder that contains the sessions; absent if the agent keeps none. Absolute. */
  readonly dataDir: string | undefined;
  readonly workspace: string | undefined;
  readonly home: string | undefined;
  readonly style: StatusbarStyle;
  readonly theme: Theme;
  /** The current session's id. */
  readonly session: () => string;
  /** The model for the next prompts. */
  readonly model: () => LanguageModel;
  /** Called when a shown value has changed. */
  readonly onChange: () => void;
}

/** Milliseconds without events before values are read from disk. */
const PAUSE = 100;
const NOTHING: Traffic = { input: 0, output: 0 };

/** The line below the input, and the session's title. */
export class Footer {
  readonly #options: FooterOptions;
  #title = "";
  #context: FooterFacts["context"];
  /** The session's usage, without the running prompt. */
  #spent = { ...NOTHING, usd: 0 };
  #running = NOTHING;
  #traffic = NOTHING;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FooterOptions) {
    this.#options = options;
  }

  /** The session's title, or its id. */
  get title(): string {
    return this.#title === "" ? this.#options.session() : this.#title;
  }

  /** Records the usage of a prompt. */
  heard(event: AgentEvent): void {
    if (event.type === "message_end" && event.message.role === "assistant") this.#count(event.message);
    if (event.type === "agent_end") this.refresh();
  }

  /** Called when the session or its content has changed. */
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

  /** Keeps the line unchanged if the session cannot be read. */
  async #read(): Promise<void> {
    const { agent, dataDir, style, onChange, session, model } = this.#options;
    const id = session();
    try {
      const summary = dataDir === undefined ? undefined : sessionSummary(dataDir, id);
      this.#title = summary?.state === "readable" ? summary.title : "";
      const { session: cost, context } = await agent.session(id).info({ model: model() });
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
      mode: agent.session(session()).mode,
      jobs: agent.session(session()).backgroundCommands.filter(({ isRunning }) => isRunning).length,
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

/** The values of the line below the input. Texts may be untrusted. */
export interface FooterFacts {
  readonly vendor: string;
  readonly model: string;
  /** The session's id. */
  readonly session: string;
  /** Empty if the session has none. */
  readonly title: string;
  /** The folder where tools work if it is not the agent directory. Absolute. */
  readonly workspace: string | undefined;
  readonly home: string | undefined;
  readonly mode: PermissionMode;
  /** How many commands run in the background. */
  readonly jobs: number;
  /** The tokens of the last request and the size of the model's window; absent before the first request. */
  readonly context: { readonly tokens: number; readonly window?: number | undefined } | undefined;
  /** The session's tokens and US dollars. */
  readonly spent: Traffic & { readonly usd: number };
  /** This process's tokens. */
  readonly traffic: Traffic;
}

/** Tokens sent and received. */
interface Traffic {
  readonly input: number;
  readonly output: number;
}

const MAX_TITLE = 30;
const MAX_MODEL = 40;

/** One line of at most `columns`; undefined if nothing fits. */
export function footerLine(
  facts: FooterFacts,
  style: StatusbarStyle,
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): string | undefined {
  switch (style) {
    case "off":
      return undefined;
    case "birdie":
      return theme.dim(cutEnd(birdieLine(facts, theme), columns, theme.ellipsis));
    case "full":
      return fullLine(facts, columns, theme);
  }
}

/** The line of birdie-agent, identical where the terminal supports Unicode. */
function birdieLine({ vendor, model, session, context, traffic }: FooterFacts, theme: Theme): string {
  const { separator, frame, sent, received } = theme;
  const parts = [
    `${plainLine(vendor)} ${separator} ${plainLine(model)}`,
    `session: ${plainLine(session)}`,
    `ctx: ${grouped(context?.tokens ?? 0)} tok`,
    `spent: ${sent}${grouped(traffic.input)}  ${received}${grouped(traffic.output)} tok`,
  ];
  return ` ${parts.join(`   ${frame}   `)}`;
}

interface Part {
  readonly text: string;
  /** Shown instead if `text` does not fit. */
  readonly short?: string;
  /** Parts with a higher weight get space first; each weight is unique. */
  readonly weight: number;
  readonly isWarning?: boolean;
}

function fullLine(facts: FooterFacts, columns: number, theme: Theme): string {
  const border = ` ${theme.frame} `;
  const parts = partsOf(facts, theme);
  const widthOf = (shown: readonly Part[]): number => Bun.stringWidth(shown.map(({ text }) => text).join(border));
  const byWeight = parts.toSorted((one, other) => other.weight - one.weight);
  let shown: readonly Part[] = [];
  for (const part of byWeight) {
    const forms = [part, ...(part.short === undefined ? [] : [{ ...part, text: part.short }])];
    const fitting = forms.find((form) => shown.length === 0 || widthOf([...shown, form]) <= columns);
    if (fitting !== undefined) shown = [...shown, fitting];
  }
  return parts
    .flatMap(({ weight }) => shown.find((part) => part.weight === weight) ?? [])
    .map(({ text, isWarning }) => (isWarning ? theme.warning : theme.dim)(cutEnd(text, columns, theme.ellipsis)))
    .join(theme.dim(border));
}

function partsOf(facts: FooterFacts, theme: Theme): readonly Part[] {
  const { vendor, model, session, title, workspace, home, mode, context, spent } = facts;
  const traffic = `${theme.sent}${grouped(spent.input)} ${theme.received}${grouped(spent.output)}`;
  const cost = spent.usd > 0 ? ` ${dollars(spent.usd)}` : "";
  return [
    {
      text: cutEnd(`${plainLine(vendor)} ${theme.separator} ${plainLine(model)}`, MAX_MODEL, theme.ellipsis),
      weight: 4,
    },
    { text: cutEnd(plainLine(title === "" ? session : title), MAX_TITLE, theme.ellipsis), weight: 3 },
    ...(workspace === undefined ? [] : [{ text: plainLine(shortPath(workspace, home)), weight: 2 }]),
    ...(facts.jobs === 0 ? [] : [{ text: counted(facts.jobs, "job"), weight: 7 }]),
    { text: mode, weight: 6, isWarning: mode === "plan" || mode === "all" },
    ...(context === undefined ? [] : [{ text: contextText(context), short: tokensText(context), weight: 5 }]),
    ...(spent.input + spent.output === 0 ? [] : [{ text: `${traffic}${cost}`, weight: 1 }]),
  ];
}

type ContextFacts = NonNullable<FooterFacts["context"]>;

const tokensText = ({ tokens }: ContextFacts): string => `${grouped(tokens)} tok`;

const contextText = (context: ContextFacts): string =>
  `${tokensText(context)}${context.window === undefined ? "" : ` (${Math.round((100 * context.tokens) / context.window)} %)`}`;
