// `npm run author-types`: rewrites the types for authors, from the runtime's types.
import { AUTHOR_TYPES_FILE, authorTypesFile } from "./author-types/author-types.ts";

await Bun.write(AUTHOR_TYPES_FILE, await authorTypesFile());
