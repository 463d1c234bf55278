import type { PackageFile } from "../sources/package-files.ts";
import { type AgentPackage, descriptionOf, type PackageName, packageName, slug } from "./agent-package.ts";
import { inFolder, textFile } from "./write-archive.ts";

/**
 * An agent as the folder of a plugin for Claude Code: its files in `agent/`, unchanged; its prose as a subagent; its skills where they are;
 * and, if it has tools, an MCP server that runs them with mdx-ai. `program` is the version of mdx-ai.
 */
export function claudePlugin(
  agent: AgentPackage,
  given: Partial<PackageName>,
  program: string,
): readonly PackageFile[] {
  const { definition, files, manifest: own } = agent;
  const { name: fullName = "", version } = packageName(agent, given);
  const name = slug(fullName.replace(/^@[^/]+\//, ""));
  const description = descriptionOf(agent);
  const hasSkills = definition.skills.some(({ path }) => path.startsWith("skills/"));
  const manifest = {
    ...{ name, ...(version !== undefined && { version }), description },
    ...(typeof own["license"] === "string" && { license: own["license"] }),
    ...(hasSkills && { skills: "./agent/skills/" }),
  };
  const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description || definition.identity.name)}\n---\n`;
  return [
    jsonFile(".claude-plugin/plugin.json", manifest),
    textFile(`agents/${name}.md`, `${head}\n${definition.identity.prose.trim()}\n`),
    ...(definition.tools.length > 0 ? [jsonFile(".mcp.json", servers(name, program))] : []),
    ...inFolder("agent", files),
  ];
}

/** By installing the plugin its user agrees to run it, as for any plugin's server. */
const servers = (name: string, program: string): unknown => ({
  mcpServers: {
    [name]: {
      command: "npx",
      args: [
        ...["-y", `mdx-ai@${program}`, "mcp-server", "${CLAUDE_PLUGIN_ROOT}/agent", "--trust"],
        ...["--data", `\${HOME}/.local/state/mdx-ai/packages/plugin-${name}`],
      ],
    },
  },
});

const jsonFile = (path: string, value: unknown): PackageFile =>
  textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
