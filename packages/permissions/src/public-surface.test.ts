import { expect, test } from "bun:test";
import * as exported from "./index.ts";

test("the package permissions exports these names and no others", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "DeniedCallError",
    "FileToolError",
    "HAS_DESCRIPTOR_PATHS",
    "Permissions",
    "changedPath",
    "checkOpened",
    "deniedPaths",
    "fileError",
    "isReadingDenied",
    "lastingAccesses",
    "permissionGate",
    "permittedBy",
    "protectedPaths",
    "resolveToPermit",
    "sandboxGrants",
    "shownPaths",
    "textMatcher",
    "toolByHand",
    "toolUnasked",
    "whyHidden",
  ]);
});
