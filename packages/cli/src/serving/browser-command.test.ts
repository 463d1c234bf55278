import { expect, test } from "bun:test";
import { browserCommand, withoutKeys } from "./browser-command.ts";

const PATH = "/usr/bin:/bin";
const sh = Bun.which("sh", { PATH }) ?? "";

test.each([
  ["a command", { BROWSER: "sh" }, [sh, "URL"]],
  ["a command with words", { BROWSER: "sh -x" }, [sh, "-x", "URL"]],
  ["a command with a place", { BROWSER: "sh --url=%s --new" }, [sh, "--url=URL", "--new"]],
  ["the first that is installed", { BROWSER: "no-such-browser %s:sh" }, [sh, "URL"]],
  ["none that is installed", { BROWSER: "no-such-browser", DISPLAY: ":0" }, undefined],
  ["nothing, without a display", {}, undefined],
  ["nothing, over SSH", { DISPLAY: ":0", SSH_CONNECTION: "1" }, undefined],
])("BROWSER is %s", (_name, environment, expected) => {
  expect(browserCommand("URL", { PATH, ...environment }, "linux")).toEqual(expected);
});

test("a browser sees no keys, and what it needs", () => {
  const needed = {
    PATH,
    DISPLAY: ":0",
    XAUTHORITY: "/home/a/.Xauthority",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
  };
  expect(withoutKeys({ ...needed, ANTHROPIC_API_KEY: "sk-ant-0123456789", NOTHING: undefined })).toEqual(needed);
});
