import type { SandboxAccess } from "@mdx-ai/loop";
import type { ToolDefinition } from "@mdx-ai/parser";
import type { Sandbox, SandboxDescription, SandboxFactory, ToolSandboxView } from "@mdx-ai/sandbox";

interface DescribedSandbox {
  readonly sandbox: Sandbox;
  readonly tools: readonly ToolDefinition[];
  /** The user's grants for all commands. */
  readonly granted: readonly SandboxAccess[];
}

/** As `UserShell.describe`. */
export async function describeSandbox({ sandbox, tools, granted }: DescribedSandbox): Promise<SandboxDescription> {
  const { mode } = sandbox;
  const [state, factory] = await Promise.all([sandbox.state(), sandbox.factory()]);
  if (!state.contained) return { contained: false, mode, why: state.why };
  if (factory === undefined) return { contained: false, mode, why: "the sandbox was closed" };
  const { program } = state;
  const { privateBytes, processes, workspace } = factory;
  return {
    ...{ contained: true, mode, program },
    ...(privateBytes !== undefined && { privateBytes }),
    ...(processes !== undefined && { processes }),
    ...(workspace !== undefined && { workspace }),
    shell: factory.view({ purpose: "shell", granted }),
    credentials: Object.fromEntries(sandbox.credentials.map(({ host, variable }) => [host, variable])),
    granted,
    tools: tools.map((tool) => toolView(tool, factory)),
  };
}

function toolView(tool: ToolDefinition, factory: SandboxFactory): ToolSandboxView {
  const { name, files } = tool;
  return { name, ...(files !== undefined && { files }), ...factory.view({ purpose: tool }) };
}
