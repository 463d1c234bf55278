// What other packages need of files, without the rest of the runtime.
export { isWithin, realPlaceOrSame } from "./real-place.ts";
export { replaceFileSync } from "./replace-file.ts";
