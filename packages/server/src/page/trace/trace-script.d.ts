/** The text of the script. */
declare const script: string;
export = script;
