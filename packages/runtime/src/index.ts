export type { Agent, AgentOptions, Clock, PromptOptions } from "./types/agent.ts";
export type { AgentEvent, AssistantMessageEvent } from "./types/event.ts";
export type { AgentModule, ModuleContext, PromptOutcome, PromptResult } from "./types/module.ts";
export type { Step, StepOptions } from "./types/step.ts";
export type { AgentTool, ToolContext, ToolResult } from "./types/tool.ts";
