/** What the author of a module imports from `mdx-ai`. */
export type { AgentModule, AgentTool, ModuleContext, PromptResult, ToolContext, ToolResult } from "@mdx-ai/runtime";
