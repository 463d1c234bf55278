import { toolHostCommand as commandOfProgram } from "../../packages/runtime/src/program.ts";

/** Starts a tool host process of the program, from source. */
export const toolHostCommand: readonly string[] = commandOfProgram();
