import { expect, test } from "bun:test";
import * as exported from "./index.ts";

test("the package sandbox exports these names and no others", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "CHANNEL",
    "DEFAULT_SECONDS",
    "GitError",
    "HOST_NETWORK",
    "MAX_KIBIBYTES",
    "PublicAddresses",
    "Sandbox",
    "SandboxMissingError",
    "allowanceOf",
    "attachBare",
    "bridgeTask",
    "freePlaceholder",
    "gitStatus",
    "isListedHost",
    "isNamedByGit",
    "isPlaceholder",
    "listedDestination",
    "openRepository",
    "placeholdersNow",
    "runGit",
    "runQuietGit",
    "sandboxPolicy",
    "startBare",
  ]);
});
