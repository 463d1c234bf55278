/** Folders in which an agent keeps what it did. */
export const RECORD_FOLDERS: readonly string[] = ["sessions", "state", "logs"];

const VARIABLES_FILE = /^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$).*)?$/is;

/** Whether a file of this name holds variables, as programs load them; those that are made to be copied hold no keys. */
export const isVariablesFile = (name: string): boolean => VARIABLES_FILE.test(name);
