/** What is wrong with a session, or with the folder of all. */
export interface SessionFinding {
  /** For people. */
  readonly text: string;
  readonly canBeMended: boolean;
}

/** What a repair takes away. */
export const mendable = (text: string): SessionFinding => ({ text, canBeMended: true });

/** What people must look after. */
export const broken = (text: string): SessionFinding => ({ text, canBeMended: false });

/** The texts of findings. */
export const textsOf = (findings: readonly SessionFinding[]): readonly string[] => findings.map(({ text }) => text);
