import { timingSafeEqual } from "node:crypto";
import { idRefusal } from "@mdx-ai/sessions";

/** A user of a server, or the person who runs it. */
export interface Caller {
  /** Undefined for the person who runs the server. */
  readonly user: string | undefined;
}

/** Who may use a server. */
export type Access =
  /** Whoever has the token is the person who runs the server. */
  | { readonly type: "token"; readonly token: string }
  /** Each user has a token. */
  | { readonly type: "users"; readonly users: readonly UserToken[] }
  /** Whoever has the token, a proxy, names the user in a header. */
  | { readonly type: "header"; readonly token: string; readonly header: string };

export interface UserToken {
  readonly name: string;
  readonly token: string;
}

/** The users whose names are known before their first request. */
export const knownUsers = (access: Access): readonly (string | undefined)[] => {
  switch (access.type) {
    case "token":
      return [undefined];
    case "users":
      return access.users.map(({ name }) => name);
    case "header":
      return [];
  }
};

/** The sender of a request; undefined without a valid token. Takes the same time for each wrong token. */
export function callerOf(access: Access, headers: Headers): Caller | undefined {
  const given = digest(/^bearer (\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "");
  switch (access.type) {
    case "token":
      return isToken(given, access.token) ? { user: undefined } : undefined;
    case "users": {
      // All are compared, so that the time does not depend on the user.
      const [found] = access.users.filter(({ token }) => isToken(given, token));
      return found && { user: found.name };
    }
    case "header": {
      const user = headers.get(access.header)?.trim();
      // A user has a folder of that name.
      return isToken(given, access.token) && user && idRefusal(user) === undefined ? { user } : undefined;
    }
  }
}

const digest = (text: string): Uint8Array => new Bun.CryptoHasher("sha256").update(text).digest();

const isToken = (given: Uint8Array, token: string): boolean => timingSafeEqual(given, digest(token));
