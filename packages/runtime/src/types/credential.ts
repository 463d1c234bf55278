import type { SandboxCredential } from "@mdx-ai/sandbox";

/**
 * A key of the user for one host, which agents may use without seeing it. Commands and tools of no agent see the user's variable
 * `variable`.
 */
export interface CredentialGrant extends SandboxCredential {
  /** Which agents get it: those whose frontmatter names the host (default), or all. */
  readonly agents?: "wishing" | "all" | undefined;
}
