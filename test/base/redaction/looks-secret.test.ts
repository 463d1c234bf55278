import { describe, expect, test } from "bun:test";
import { looksSecret, namesSocket } from "@mdx-ai/base";

const letters = (count: number): string => "aB3".repeat(count).slice(0, count);

const SECRET_NAMES = `
  OPENAI_API_KEY github_token GITHUB_TOKEN PGPASSWORD MYSQL_PWD LLM_PROVIDER_CONFIG AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN
  DOCKER_AUTH_CONFIG AZURE_STORAGE_CONNECTION_STRING azureStorageConnectionString DB_CONN_STR ConnectionStrings__Default
  SENTRY_DSN sentry-dsn sentryDsn APP_CREDS appCreds GOOGLE_APPLICATION_CREDENTIALS KUBECONFIG
  SLACK_WEBHOOK_URL slackWebhookUrl discord-webhook NPM_CONFIG__AUTH npm_config__auth NPM_CONFIG__AUTHTOKEN
  npm_config__authToken npm_config_//registry.npmjs.org/:_authToken BASIC_AUTH basicAuth proxy-auth HTTP_PROXYAUTH
  AUTHORIZATION OAUTH OAUTH2_CLIENT oauthClientId GITLAB_PAT gitlabPat AZURE_PAT_2 GPG_PASSPHRASE gpgPassphrase DB_PASS
  LOGIN_COOKIE sessionCookie BW_SESSION OP_SESSION_work PHPSESSID JWT_SIGNING_SALT jwtSigning SSH_PRIVATE_PEM
  MYAPIKEY myapikey apiKey OpenAIKey TS_AUTHKEY KEY1 DB_PASSWORD2 userPwd OTEL_EXPORTER_OTLP_HEADERS`
  .trim()
  .split(/\s+/);

const SECRET_VALUES: readonly (readonly [name: string, value: string])[] = [
  ["DATABASE_URL", "postgres://user:pass@db.example/x"],
  ["REDIS_URL", "redis://:pass@cache.example:6379"],
  ["VENDOR", "sk-short"],
  ["MAPS", `AIza${letters(35)}`],
  ["SPEECH", `hf_${letters(34)}`],
  ["EXTRA_HEADER", `authorization: ghp_${letters(36)}`],
  ["LOGIN", `eyJ${letters(20)}.eyJ${letters(20)}.${letters(20)}`],
];

const INNOCENT_NAMES = `
  PATH PWD OLDPWD HOME KEYBOARD KEYMAP KEYTIMEOUT MONKEY DONKEY AUTHOR AUTHORS GIT_AUTHOR_NAME gitAuthorEmail XAUTHORITY
  TOKENIZERS_PARALLELISM tokenizerPath DSNAME PATIENCE PATTERN PASSENGER COMPASS SESSION_MANAGER XDG_SESSION_ID
  XDG_SESSION_TYPE TERM_SESSION_ID DESKTOP_SESSION GDMSESSION DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_ASKPASS
  SECRETARY COOKIECUTTER_HOME CONNECTION_COUNT AUTH_TYPE OAUTH_PROVIDER PRIVATE_NETWORK WEBHOOKED_UP SIGNAL LS_COLORS LANG
  DOCKER_HOST NODE_ENV CONSTRING`
  .trim()
  .split(/\s+/);

const INNOCENT_VALUES: readonly (readonly [name: string, value: string])[] = [
  ["HOMEPAGE", "https://example.com/a@b"],
  ["TASK", "ask-me about eyJ and hf_ and AIza"],
  ["DATABASE_URL", "postgres://db.example:5432/x"],
  ["REDIS_URL", "redis://cache.example:6379"],
];

describe("a variable that looks like a secret:", () => {
  test.each(SECRET_NAMES)("%s", (name) => expect(looksSecret(name, "anything")).toBe(true));

  test.each(SECRET_VALUES)("%s=%s", (name, value) => expect(looksSecret(name, value)).toBe(true));
});

describe("one that does not:", () => {
  test.each(INNOCENT_NAMES)("%s", (name) => expect(looksSecret(name, "anything")).toBe(false));

  test.each(INNOCENT_VALUES)("%s=%s", (name, value) => expect(looksSecret(name, value)).toBe(false));
});

describe("a variable that names a socket, which is no secret text:", () => {
  test.each(["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "EDITOR_SOCKET", "editorSocket"])("%s", (name) => {
    expect(namesSocket(name)).toBe(true);
    expect(looksSecret(name, "unix:path=/run/user/1000/bus")).toBe(false);
  });

  test.each(["SOCKS_PROXY", "SOCKET_TIMEOUT"])("but not %s", (name) => expect(namesSocket(name)).toBe(false));
});
