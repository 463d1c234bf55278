import type { AgentDirectory, Diagnostic, ToolDefinition } from "@mdx-ai/parser";
import { type ProbeFile, probeFile } from "../drift/probe-file.ts";
import { type CheckedTool, checkedTool } from "./checked-tool.ts";
import type { ProjectFile } from "./lay-out-project.ts";

/** The code of a directory that is checked, and the questions about it. */
export interface CheckedCode {
  /** Absolute. */
  readonly agentDir: string;
  readonly tools: readonly CheckedTool[];
  /** Relative to the directory. */
  readonly modules: readonly string[];
  /** The questions about the tools. */
  readonly probes: ProbeFile;
}

/** The files with the questions about tools and modules, as if they were in the agent directory. */
export const TOOL_PROBES = "agent.mdx.probes.ts";
export const MODULE_PROBES = "agent.mdx.modules.ts";

/** The code of a directory, without tools whose code does not parse. */
export function checkedCode({ path, definition, diagnostics }: AgentDirectory): CheckedCode {
  const broken = diagnostics.filter(({ rule }) => rule === "tool-code-syntax");
  const parsed = definition.tools.filter((tool) => !broken.some((problem) => isIn(tool, problem)));
  const tools = parsed.map(checkedTool);
  const probes = probeFile(tools.map(({ probed }) => probed));
  return { agentDir: path, tools, modules: definition.modules, probes };
}

/** The files that the compiler reads instead of the author's. */
export const projectFiles = ({ tools, modules, probes }: CheckedCode): readonly ProjectFile[] => [
  ...tools.map(({ file }) => file),
  { path: TOOL_PROBES, text: probes.text },
  { path: MODULE_PROBES, text: moduleProbes(modules) },
];

function isIn({ code }: ToolDefinition, { file, line }: Diagnostic): boolean {
  const { file: source = "agent.mdx", text, position } = code;
  return file === source && line >= position.line && line < position.line + text.split("\n").length;
}

/** A check for each module that its default export can be a module; line n is about the n-th one. */
function moduleProbes(modules: readonly string[]): string {
  const hooks = [
    ...["describe", "initialize", "tools", "systemPrompt", "start", "stop"],
    ...["beforePrompt", "beforeTool", "afterTool", "afterPrompt"],
  ];
  const optional = hooks.slice(2).map((hook) => `${hook}?: Hook`);
  const required = hooks.slice(0, 2).map((hook) => `${hook}: Hook`);
  const lines = modules.map(
    (module, index) =>
      `import module${index} from ${JSON.stringify(`./${module}`)}; module${index} satisfies AgentModule;`,
  );
  const types = [
    "type Hook = (...args: never[]) => unknown;",
    `interface AgentModule { ${[...required, ...optional].join("; ")} }`,
  ];
  return `${[...lines, ...types].join("\n")}\n`;
}
