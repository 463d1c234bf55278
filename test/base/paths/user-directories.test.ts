import { describe, expect, test } from "bun:test";
import { cacheDirectory, stateDirectory } from "@mdx-ai/base";

describe("the folders of a user", () => {
  test.each([
    [{ HOME: "/home/ada" }, "/home/ada/.local/state/mdx-ai", "/home/ada/.cache/mdx-ai"],
    [{ HOME: "/home/ada", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/c" }, "/s/mdx-ai", "/c/mdx-ai"],
    [
      { HOME: "/home/ada", XDG_STATE_HOME: "s", XDG_CACHE_HOME: "" },
      "/home/ada/.local/state/mdx-ai",
      "/home/ada/.cache/mdx-ai",
    ],
    [{ USERPROFILE: "/users/ada", HOME: "" }, "/users/ada/.local/state/mdx-ai", "/users/ada/.cache/mdx-ai"],
    [{ HOME: "relative" }, undefined, undefined],
    [{}, undefined, undefined],
  ])("follow from %j", (environment, state, cache) => {
    expect(stateDirectory(environment)).toBe(state);
    expect(cacheDirectory(environment)).toBe(cache);
  });
});
