export interface UnknownSkillOptions {
  /** The name that was asked for; may be empty. */
  readonly skill: string;
  /** The names of the skills there are, in their order. */
  readonly available: readonly string[];
  /** The available name that was probably meant. */
  readonly suggestion?: string | undefined;
}

/** A `/skill:` command names a skill that the agent does not have. The message tells those it has. */
export class UnknownSkillError extends Error {
  override readonly name = "UnknownSkillError";
  readonly skill: string;
  readonly available: readonly string[];
  readonly suggestion: string | undefined;

  constructor(options: UnknownSkillOptions) {
    super(explain(options));
    this.skill = options.skill;
    this.available = options.available;
    this.suggestion = options.suggestion;
  }
}

function explain({ skill, available, suggestion }: UnknownSkillOptions): string {
  const problem = skill === "" ? "/skill: names no skill" : `there is no skill ${JSON.stringify(skill)}`;
  const guess = suggestion === undefined ? "" : `; did you mean /skill:${suggestion}?`;
  const list = available.length === 0 ? "this agent has no skills" : `its skills are ${available.join(", ")}`;
  return `${problem}${guess} (${list})`;
}
