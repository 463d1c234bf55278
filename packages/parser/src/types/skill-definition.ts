/** What the index of skills knows of one: all but its body, which is read when the skill is used. */
export interface SkillDefinition {
  readonly name: string;
  readonly description: string;
  /** The skill's file, relative to the agent directory, separated by "/". */
  readonly path: string;
}
