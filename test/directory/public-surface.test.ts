import { expect, test } from "bun:test";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  directory: [
    "DirectoryError",
    "NEW_SESSION",
    "agentFolder",
    "agentSource",
    "approvalsFolder",
    "canBeTrusted",
    "changeLine",
    "contentsLines",
    "countDiagnostics",
    "dataDirectory",
    "dataOfRun",
    "divertConsole",
    "isAgentFile",
    "openDirectory",
    "openModels",
    "openRun",
    "openTrusted",
    "placeRun",
    "plainRun",
    "readDirectory",
    "readManifest",
    "readRunnable",
    "readTrusted",
    "resolveModels",
    "runPermissions",
    "shownRules",
    "takeSession",
    "trustDirectory",
    "trustOf",
    "trustedDirectories",
    "trustedManifest",
    "waitForSession",
    "warn",
    "withdrawTrust",
  ],
  checking: [
    "TYPES_FILE",
    "TYPES_MARK",
    "checkDirectory",
    "fixDirectory",
    "fixableDiagnostics",
    "typesFile",
    "watchChecks",
  ],
  error: ["DirectoryError"],
  importing: ["importAgent", "makeDirectory"],
  lock: ["LOCK_FILE", "compareLocks", "lockText", "makeLock", "needsReview", "readLock"],
  testing: ["changeText", "countOutcomes", "differenceLines", "prepareTests", "runCases", "textDifference"],
  text: ["capitalized", "contentText", "jsonText", "plainLine", "plainText", "safeJson", "withNewline"],
};

test.each(Object.entries(NAMES))("the entry %s exports these names and no others", async (name, names) => {
  const entry: object = await import(name === "directory" ? "@mdx-ai/directory" : `@mdx-ai/directory/${name}`);
  expect(Object.keys(entry).sort()).toStrictEqual([...names]);
});
