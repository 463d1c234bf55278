import type { Environment } from "@mdx-ai/base";
import type { CredentialSettings, ToolDefinition } from "@mdx-ai/parser";
import type { CredentialKey, SandboxCredential } from "@mdx-ai/sandbox";
import type { CredentialGrant } from "../types/credential.ts";
import type { OpenOptions } from "./loaded-agent.ts";

export interface LoadedCredentials {
  /** The variables that commands and tools may see. */
  readonly environment: Environment;
  /** The keys that the agent gets. */
  readonly credentials?: readonly SandboxCredential[] | undefined;
}

/** The keys that an agent gets, and the variables that are left for its commands and tools. */
export function openCredentials({ directory, environment, ...options }: OpenOptions): LoadedCredentials {
  const { credentials: grants = [], onKey, onWarning } = options;
  const { tools, settings } = directory.definition;
  return {
    environment: withoutKeys(environment, grants),
    credentials: credentialsFor({ grants, wishes: settings.credentials ?? {}, tools, onKey, onWarning }),
  };
}

interface AskedCredentials {
  readonly grants: readonly CredentialGrant[];
  /** What the agent's frontmatter wishes for. */
  readonly wishes: CredentialSettings;
  readonly tools: readonly Pick<ToolDefinition, "name" | "environment">[];
  readonly onWarning: (message: string) => void;
  readonly onKey: ((key: string) => void) | undefined;
}

/**
 * The keys that an agent gets: those of the user for the hosts that it names. It chooses the name of the variable alone: host,
 * header and key are the user's.
 */
export function credentialsFor(asked: AskedCredentials): readonly SandboxCredential[] {
  const { grants, wishes, onKey, onWarning } = asked;
  const given = grants.flatMap(({ host, variable, header, read, agents }) => {
    const [, wish] = Object.entries(wishes).find(([name]) => isSame(name, host)) ?? [];
    if (wish === undefined && agents !== "all") return [];
    const reading = async (): Promise<CredentialKey> => {
      const found = await read();
      onKey?.(found.key);
      return found;
    };
    return { host, variable: wish?.env ?? variable, header, read: reading };
  });
  for (const warning of [...vainWishes(asked), ...vainVariables(asked, given)]) onWarning(warning);
  return given;
}

/** What an agent wishes for and does not get, or not in this way. */
const vainWishes = ({ grants, wishes }: AskedCredentials): readonly string[] =>
  Object.entries(wishes).flatMap(([host, { env, header }]) => {
    const grant = grants.find((one) => isSame(one.host, host));
    if (grant === undefined)
      return [
        `the agent wishes for a key for ${host}, which \`credentials\` in your settings.yaml does not name: ${env} is not set`,
      ];
    if (header === undefined || isSame(header, grant.header)) return [];
    return [`the agent wishes for the key for ${host} in ${header}; your settings send it in ${grant.header}`];
  });

/** The variables with keys that tools name but do not get. */
function vainVariables({ grants, tools }: AskedCredentials, given: readonly SandboxCredential[]): readonly string[] {
  const held = new Set(given.map(({ variable }) => variable));
  return tools.flatMap(({ name, environment }) =>
    grants
      .filter(({ variable }) => environment.includes(variable) && !held.has(variable))
      .map(
        ({ host, variable }) =>
          `the tool ${name} does not get ${variable}, your key for ${host}: the frontmatter does not name ${host} in \`credentials\``,
      ),
  );
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The variables that tools may see: those with a key for a host are left out, also in agents that get no key. */
export function withoutKeys(environment: Environment, grants: readonly CredentialGrant[]): Environment {
  const keys = new Set(grants.map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !keys.has(name)));
}
