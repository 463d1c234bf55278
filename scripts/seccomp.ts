// `npm run seccomp`: writes the filters of system calls anew, from the list of what they deny.
import { FILTERS_FILE, filtersFile } from "./seccomp/filters-file.ts";

await Bun.write(FILTERS_FILE, filtersFile());
