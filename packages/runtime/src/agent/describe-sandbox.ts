import type { SandboxAccess } from "@mdx-ai/loop";
import type { ToolDefinition } from "@mdx-ai/parser";
import type { Encloser, Sandbox, SandboxDescription, ToolSandboxView } from "@mdx-ai/sandbox";

interface DescribedSandbox {
  readonly sandbox: Sandbox;
  readonly tools: readonly ToolDefinition[];
  /** What the user granted for all commands. */
  readonly granted: readonly SandboxAccess[];
}

/** As `UserShell.describe`. */
export async function describeSandbox({ sandbox, tools, granted }: DescribedSandbox): Promise<SandboxDescription> {
  const { mode } = sandbox;
  const [state, encloser] = await Promise.all([sandbox.state(), sandbox.encloser()]);
  if (!state.contained) return { contained: false, mode, why: state.why };
  if (encloser === undefined) return { contained: false, mode, why: "the sandbox was closed" };
  const { program } = state;
  const { privateBytes, processes, workspace } = encloser;
  return {
    ...{ contained: true, mode, program },
    ...(privateBytes !== undefined && { privateBytes }),
    ...(processes !== undefined && { processes }),
    ...(workspace !== undefined && { workspace }),
    shell: encloser.view({ purpose: "shell", granted }),
    granted,
    tools: tools.map((tool) => toolView(tool, encloser)),
  };
}

function toolView(tool: ToolDefinition, encloser: Encloser): ToolSandboxView {
  const { name, files } = tool;
  return { name, ...(files !== undefined && { files }), ...encloser.view({ purpose: tool }) };
}
