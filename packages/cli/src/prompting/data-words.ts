import { shellWord } from "@mdx-ai/base";

/** The options of a command line that find the data of a run. */
export const dataWords = ({ data }: { readonly data?: string }, user: string | undefined): readonly string[] => [
  ...(data === undefined ? [] : ["--data", shellWord(data)]),
  ...(user === undefined ? [] : ["--user", shellWord(user)]),
];
