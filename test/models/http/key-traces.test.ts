import { describe, expect, test } from "bun:test";
import { shownOf } from "../../support/refused-request.ts";

const key = 'sk-Very/Secret+Key_12"3&45==';
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("of a key that a server quotes nothing is left that gives it away", () => {
  test.each([
    ["as it is", key],
    ["in other letters", key.toUpperCase()],
    ["in a URL", encodeURIComponent(key)],
    ["in a URL with small digits", encodeURIComponent(key).toLowerCase()],
    ["in JSON", JSON.stringify(key)],
    ["on a page", Bun.escapeHTML(key)],
    ["in base64", base64(key)],
    ["in base64 behind a user", base64(`user:${key}`)],
    ["in base64 behind a word", base64(`Bearer ${key}`)],
    ["in base64 for URLs", Buffer.from(`me:${key}`).toString("base64url")],
    ["without its end", key.slice(0, -8)],
    ["without its beginning", key.slice(8)],
    ["twice", key + key],
  ])("%s", async (_how, quoted) => {
    const shown = await shownOf(`the key ${quoted} is odd`, key);
    expect(shown).toStartWith("the key ");
    expect(shown).toEndWith(" is odd");
    expect(shown).toContain("[key]");
    const decoded = shown.split(/ |\[key\]/).map((part) => Buffer.from(part, "base64").toString("latin1"));
    const seen = [shown, decodeURIComponent(shown), ...decoded].join("\n").toLowerCase();
    for (let place = 0; place + 8 <= key.length; place++) {
      expect(seen).not.toContain(key.slice(place, place + 8).toLowerCase());
    }
  });

  test("and any text around it is kept", async () => {
    expect(await shownOf(`${key}🦊${key}, İ`, key)).toBe("[key]🦊[key], İ");
    expect(await shownOf("nothing of it", key)).toBe("nothing of it");
  });

  test("a short key is one all the same, and what is shorter is a word", async () => {
    expect(await shownOf("it is 12345678!", "12345678")).toBe("it is [key]!");
    expect(await shownOf("ollama is there", "ollama")).toBe("ollama is there");
  });
});
