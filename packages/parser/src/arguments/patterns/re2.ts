// An ES module, so that the bundler gives it a file of its own, which is loaded with the first pattern.
export { RE2JS } from "re2js";
