// `npm run builtin-tools`: writes what the parser knows of the builtin tools anew, from the tools themselves.
import { BUILTIN_FACTS_FILE, builtinFactsFile } from "./builtin-facts.ts";

await Bun.write(BUILTIN_FACTS_FILE, builtinFactsFile());
