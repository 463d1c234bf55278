import { describe, expect, test } from "bun:test";
import { shownOf } from "../../support/refused-request.ts";

describe("the words of a server's answer", () => {
  test.each([
    ["a title", "<html> <head><title> 502 Bad\nGateway</title></head> <body>nginx</body>", '"502 Bad Gateway"'],
    ["no title", "<!DOCTYPE html><style>b { color: red }</style><h1>Blocked</h1><b>by us</b>", '"Blocked by us"'],
    ["an empty title", '<body class="x"><title></title><p>Log in</p>', '"Log in"'],
    ["an element without an end", "<html><h1>Sorry</h1><p class=", '"Sorry"'],
  ])("are what is read of a web page with %s", async (_title, page, words) => {
    expect(await shownOf(page)).toBe(`a web page, ${words}`);
  });

  test("are cut where they are many", async () => {
    expect(await shownOf(`<html>${"very long ".repeat(1000)}`)).toMatch(/^a web page, "very long [a-z ]{110}…"$/);
  });

  test("tell no more of a page without any than that it is one", async () => {
    expect(await shownOf("<html></html>")).toBe("a web page");
  });

  test.each(["Bad thing", "a < b", "<Model> is unknown"])(
    "stay as they are where there is no page: %j",
    async (text) => {
      expect(await shownOf(text)).toBe(text);
    },
  );

  test.each(["<title", "<", "<style>", "<html "])("come of a page of nothing but %j", async (part) => {
    expect(await shownOf(`<html>${part.repeat(1_000_000)}`)).toStartWith("a web page");
  });
});
