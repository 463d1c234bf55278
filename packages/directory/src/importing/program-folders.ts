/** The layout of the folder in which a program keeps the parts of agents. */
export interface ProgramFolder {
  readonly name: string;
  readonly format: "claude-folder" | "opencode-folder" | "agents-folder";
  /** The names of the folders in it. */
  readonly agents: readonly string[];
  readonly commands: readonly string[];
  readonly skills: readonly string[];
}

/** The folders of other programs, and the one that several share. */
export const FOLDERS_OF_PROGRAMS: readonly ProgramFolder[] = [
  {
    ...{ name: ".claude", format: "claude-folder" },
    ...{ agents: ["agents"], commands: ["commands"], skills: ["skills"] },
  },
  {
    ...{ name: ".opencode", format: "opencode-folder" },
    ...{ agents: ["agent", "agents"], commands: ["command", "commands"], skills: ["skill", "skills"] },
  },
  {
    ...{ name: ".agents", format: "agents-folder" },
    ...{ agents: ["agents"], commands: ["commands"], skills: ["skills"] },
  },
];

export const programFolderNamed = (name: string): ProgramFolder | undefined =>
  FOLDERS_OF_PROGRAMS.find((folder) => folder.name === name);
