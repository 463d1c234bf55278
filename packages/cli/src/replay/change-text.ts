import type { AgentChange, RecordedPrompt } from "@mdx-ai/runtime";
import { plainLine } from "../plain-text.ts";

/** `the agent changed since prompt 2: section "Rules", parameters of tool weather`: foreign text, made plain. */
export const changeText = ({ prompt, parts }: AgentChange): string =>
  `the agent changed since prompt ${prompt}: ${parts.map(plainLine).join(", ")}`;

/** That nobody can tell changes since some prompts; undefined where all can be told. */
export function unknownAgentText(prompts: readonly RecordedPrompt[]): string | undefined {
  const numbers = prompts.flatMap(({ number, agent }) => (agent === undefined ? [number] : []));
  if (numbers.length === 0) return undefined;
  const which = numbers.length === prompts.length ? "" : ` of prompt ${numbers.join(", ")}`;
  return `the recording${which} does not say what the agent was, so changes since then are unknown`;
}
