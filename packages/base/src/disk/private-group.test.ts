import { expect, test } from "bun:test";
import { isPrivateGroup } from "./own-file.ts";

const PASSWD = "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nbob:x:1001:100::/home/bob:/bin/sh\n";
const GROUP = "root:x:0:\nusers:x:100:\nada:x:1000:";

test.each([
  ["only the user in it", PASSWD, `${GROUP}\n`, true],
  ["the user listed in it", PASSWD, `${GROUP}ada\n`, true],
  ["another member", PASSWD, `${GROUP}ada,bob\n`, false],
  ["another user with it", PASSWD.replace("1001:100:", "1001:1000:"), `${GROUP}\n`, false],
  ["another name", PASSWD, GROUP.replace("ada", "staff"), false],
  ["a second entry", PASSWD, `${GROUP}\nada:x:1000:bob\n`, false],
  ["no account", "", GROUP, false],
  ["no group", PASSWD, "", false],
])("a group with %s is the user's alone, or not", (_what, passwd, group, isAlone) => {
  expect(isPrivateGroup({ user: 1000, gid: 1000 }, [passwd, group])).toBe(isAlone);
});

test("a group that is not the user's first one is not the user's alone", () => {
  expect(isPrivateGroup({ user: 1001, gid: 1000 }, [PASSWD, GROUP])).toBe(false);
  expect(isPrivateGroup({ user: 1001, gid: 100 }, [PASSWD, GROUP])).toBe(false);
});
