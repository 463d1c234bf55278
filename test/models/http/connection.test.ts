import { describe, expect, test } from "bun:test";
import { MissingKeyError, ModelError } from "@mdx-ai/models";
import { readConnection } from "../../../packages/models/src/http/connection.ts";
import type { Vendor } from "../../../packages/models/src/vendors/vendor.ts";

const vendor: Vendor = {
  name: "acme",
  protocol: "openai",
  keyVariables: ["ACME_API_KEY", "ACME_KEY"],
  urlVariable: "ACME_URL",
  url: "https://api.acme.example/v1",
  model: "",
  prefixes: [],
};

describe("a connection", () => {
  test("is the vendor's own where the environment holds a key alone", () => {
    expect(readConnection(vendor, {}, { ACME_KEY: " k-1\n" })).toEqual({
      vendor: "acme",
      key: "k-1",
      keyName: "ACME_KEY",
      baseUrl: "https://api.acme.example/v1",
      urlName: "ACME_URL",
      host: "api.acme.example",
      silence: 120_000,
      silenceOfDocument: 600_000,
    });
  });

  test("follows the settings above the environment, and what is set first above what is next", () => {
    const environment = { ACME_API_KEY: "k-1", ACME_KEY: "k-2", ACME_URL: "http://proxy:8080///" };
    expect(readConnection(vendor, {}, environment)).toMatchObject({
      key: "k-1",
      baseUrl: "http://proxy:8080",
      host: "proxy:8080",
    });
    const settings = { apiKey: " k-3 ", baseUrl: "http://localhost/v1/", timeout: 5 };
    expect(readConnection(vendor, settings, environment)).toMatchObject({
      key: "k-3",
      keyName: "api_key",
      baseUrl: "http://localhost/v1",
      urlName: "base_url",
      silence: 5000,
      silenceOfDocument: 5000,
    });
  });

  test("needs no key where the vendor asks for none", () => {
    expect(readConnection({ ...vendor, keyVariables: [] }, {}, {}).key).toBe("");
    expect(() => readConnection(vendor, {}, { ACME_API_KEY: " " })).toThrow(MissingKeyError);
  });

  test("tells who asks a server of their own without a key that any word may do", () => {
    const hint = "any word will do for a server that asks for none";
    expect(() => readConnection(vendor, { baseUrl: "http://localhost/v1" }, {})).toThrow(hint);
    expect(() => readConnection(vendor, {}, {})).not.toThrow(hint);
    expect(() => readConnection({ ...vendor, url: "" }, { baseUrl: "http://localhost/v1" }, {})).not.toThrow(hint);
  });

  test.each(["a b", "schlüssel", "k\u0000"])(
    "takes no key that a header could not carry, and does not show it: %j",
    (key) => {
      expect(() => readConnection(vendor, { apiKey: key }, {})).toThrow(MissingKeyError);
      expect(() => readConnection(vendor, { apiKey: key }, {})).not.toThrow(key);
    },
  );

  test.each(["nonsense", "ftp://host", "file:///etc", "//host"])(
    "takes no address such as %s, and says where it stands",
    (url) => {
      expect(() => readConnection(vendor, { baseUrl: url }, { ACME_KEY: "k" })).toThrow("base_url is not an http");
      expect(() => readConnection(vendor, {}, { ACME_KEY: "k", ACME_URL: url })).toThrow("ACME_URL is not an http");
    },
  );

  test("needs an address where every user has another", () => {
    expect(() => readConnection({ ...vendor, url: "" }, {}, { ACME_KEY: "k" })).toThrow(ModelError);
  });
});
