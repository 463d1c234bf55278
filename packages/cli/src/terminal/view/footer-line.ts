import { plainLine } from "@mdx-ai/directory/text";
import type { PermissionMode, StatusbarStyle } from "@mdx-ai/parser";
import { dollars, grouped } from "../../output/figures.ts";
import { shortPath } from "../../output/home-path.ts";
import { cutEnd } from "../../output/text-width.ts";
import type { Theme } from "../../output/theme.ts";

/** What the line below the input shows. Texts may be foreign. */
export interface FooterFacts {
  readonly vendor: string;
  readonly model: string;
  /** The id of the session. */
  readonly session: string;
  /** Empty if it has none. */
  readonly title: string;
  /** Where tools work, if that is not the agent directory. Absolute. */
  readonly workspace: string | undefined;
  readonly home: string | undefined;
  readonly mode: PermissionMode;
  /** The tokens of the last request, and those that the model's window holds; absent before the first. */
  readonly context: { readonly tokens: number; readonly window?: number | undefined } | undefined;
  /** The tokens and the US dollars of the session. */
  readonly spent: Traffic & { readonly usd: number };
  /** The tokens of this process. */
  readonly traffic: Traffic;
}

/** Tokens that were sent and received. */
export interface Traffic {
  readonly input: number;
  readonly output: number;
}

const LONGEST_TITLE = 30;
const LONGEST_MODEL = 40;

/** One line of at most `columns`; undefined if none is to be shown. */
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

/** As birdie-agent shows it, to the character where the terminal shows Unicode. */
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
  /** Shown instead if there is too little room for the text. */
  readonly short?: string;
  /** Parts with a high weight get room first; no two have the same. */
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
      text: cutEnd(`${plainLine(vendor)} ${theme.separator} ${plainLine(model)}`, LONGEST_MODEL, theme.ellipsis),
      weight: 4,
    },
    { text: cutEnd(plainLine(title === "" ? session : title), LONGEST_TITLE, theme.ellipsis), weight: 3 },
    ...(workspace === undefined ? [] : [{ text: plainLine(shortPath(workspace, home)), weight: 2 }]),
    { text: mode, weight: 6, isWarning: mode === "plan" || mode === "all" },
    ...(context === undefined ? [] : [{ text: contextText(context), short: tokensText(context), weight: 5 }]),
    ...(spent.input + spent.output === 0 ? [] : [{ text: `${traffic}${cost}`, weight: 1 }]),
  ];
}

type ContextFacts = NonNullable<FooterFacts["context"]>;

const tokensText = ({ tokens }: ContextFacts): string => `${grouped(tokens)} tok`;

const contextText = (context: ContextFacts): string =>
  `${tokensText(context)}${context.window === undefined ? "" : ` (${Math.round((100 * context.tokens) / context.window)} %)`}`;
