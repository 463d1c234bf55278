// `npm run author-types`: writes the types that authors receive anew, from those of the runtime.
import { AUTHOR_TYPES_FILE, authorTypesFile } from "./author-types/author-types.ts";

await Bun.write(AUTHOR_TYPES_FILE, await authorTypesFile());
