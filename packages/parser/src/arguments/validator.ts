// An ES module, so that the bundler gives it a file of its own, which is loaded with the first schema.
export { Validator } from "@cfworker/json-schema";
