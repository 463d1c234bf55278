/** The settings of the frontmatter that this version acts on. Absent means: not set by the author. */
export interface AgentSettings {
  readonly name?: string;
  readonly description?: string;
  /** `provider/name`. */
  readonly model?: string;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly limits?: { readonly turns?: number };
  /** An interval as in heartbeat.md, such as `30m`. */
  readonly schedule?: string;
  /** An IANA time zone for the schedule. */
  readonly timezone?: string;
}
