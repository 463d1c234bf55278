import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { MODE_MEANINGS, MODE_ORDER } from "@mdx-ai/directory/views/permission-modes";
import type { LanguageModel } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";

/** The modes of a session, as the protocol's older way lists them. */
export const modeState = (mode: PermissionMode): SessionModeState => ({
  currentModeId: mode,
  availableModes: MODE_ORDER.map((id) => ({ id, name: NAMES[id], description: MODE_MEANINGS[id] })),
});

const NAMES: Readonly<Record<PermissionMode, string>> = {
  ask: "Ask",
  edits: "Allow edits",
  plan: "Plan",
  all: "Allow all",
};

/** What is chosen in a session, and what can be. */
export interface SessionChoices {
  readonly mode: PermissionMode;
  /** The reference of the model in use. */
  readonly model: string;
  /** References of the models whose keys are set, such as `openai/gpt-5.4`. */
  readonly models: readonly string[];
}

export const referenceOf = ({ provider, name }: Pick<LanguageModel, "provider" | "name">): string =>
  `${provider}/${name}`;

/** Mode and model as the protocol's newer way lists them. */
export function configOptions({ mode, model, models }: SessionChoices): SessionConfigOption[] {
  const references = models.includes(model) ? models : [model, ...models];
  const { availableModes } = modeState(mode);
  return [
    {
      ...{ type: "select", id: "mode", name: "Mode", category: "mode", currentValue: mode },
      description: "What tools may do without a question",
      options: availableModes.map(({ id: value, name, description }) => ({
        ...{ value, name },
        ...(description != null && { description }),
      })),
    },
    {
      ...{ type: "select", id: "model", name: "Model", category: "model", currentValue: model },
      description: "The model of the next prompts",
      options: references.map((value) => ({ value, name: value })),
    },
  ];
}
