import { isSent, type UserInput } from "@mdx-ai/loop";
import type { TextContent, UserMessage } from "@mdx-ai/models";
import { disabledSkills, type OpenedSession } from "@mdx-ai/sessions";
import { isMcpPrompt } from "../mcp/declared-servers.ts";
import { skillContext } from "../skills/skill-contexts.ts";
import { expandSkillCommand, isSkillCommand } from "../skills/skills.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { newSkills, toolSetOf } from "./prompt-head.ts";

/**
 * The model's input for a user text: `/skill:name` and `/mcp:server:prompt` are expanded. Rejects with
 * `UnknownSkillError`, `SkillFileError` or `McpPromptError`.
 */
export async function expandedInput(text: string, loaded: LoadedAgent, session: OpenedSession): Promise<UserInput> {
  const { skills } = loaded.options.directory.definition;
  if (!isSkillCommand(text, skills) && !isMcpPrompt(text)) return { text };
  return { text: await commandText(text, loaded, session), typed: text };
}

async function commandText(text: string, loaded: LoadedAgent, session: OpenedSession): Promise<string> {
  const { options, settings, servers } = loaded;
  const { path: agentDir, definition } = options.directory;
  const disabled = disabledSkills(definition.skills, session.skills);
  if (isMcpPrompt(text)) {
    const { expandMcpPrompt } = await import("../mcp/mcp-prompts.ts");
    return expandMcpPrompt(text, servers, disabled);
  }
  return expandSkillCommand(text, {
    ...{ skills: definition.skills, agentDir, disabled },
    isSent: (body) => isSent(body, session.conversation, settings.context),
  });
}

/** A message with the triggered skills that the model has not received yet; undefined if there are none. */
export function skillMessage(input: string, loaded: LoadedAgent, session: OpenedSession): UserMessage | undefined {
  const { clock, directory } = loaded.options;
  const skills = newSkills(input, {
    ...{ conversation: session.conversation, loaded, toolSet: toolSetOf(loaded, session.skills) },
  });
  if (skills.length === 0) return undefined;
  const content = skills.map((skill) => textBlock(skillContext(skill, directory.path)));
  return { role: "user", content, timestamp: clock.now(), origin: "skill" };
}

const textBlock = (text: string): TextContent => ({ type: "text", text });
