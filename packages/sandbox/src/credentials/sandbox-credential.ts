/** A key for one host. Programs in a sandbox do not see it: the proxy puts it into their requests to that host. */
export interface SandboxCredential {
  /** Such as `api.example.com`, which means the ports 80 and 443, or `localhost:8443`. */
  readonly host: string;
  /** The variable of sandboxed programs that holds a placeholder. */
  readonly variable: string;
  /** The header that holds the key. */
  readonly header: string;
  /** Called for each request. Rejects with an error whose message is a line without a full stop. */
  readonly read: () => Promise<CredentialKey>;
}

export interface CredentialKey {
  readonly key: string;
  /** The value of the header: the key, with what its format adds. */
  readonly value: string;
}

/** The text that sandboxed programs find in place of a key. */
export const placeholderOf = ({ variable }: Pick<SandboxCredential, "variable">): string =>
  `mdx-ai-credential-${variable}`;

/** Why a key is not sent by plain HTTP, not even to this machine: a program in a sandbox could listen in place of the host. */
export const plainProblem = ({ host }: Pick<SandboxCredential, "host">): string =>
  `the key for ${host} is sent by https only`;
