/** Makes one commit of files; resolves to a text that says so, or to undefined if the directory is not in a repository. Rejects if git fails. */
export async function commitFiles(
  directory: string,
  paths: readonly string[],
  message: string,
): Promise<string | undefined> {
  const tracked = await git(directory, ["ls-files", "--error-unmatch", "--", "agent.mdx"]);
  if (tracked.exitCode !== 0) return undefined;
  await required(directory, ["add", "--", ...paths]);
  await required(directory, ["commit", "--quiet", "--no-verify", "-m", message, "--", ...paths]);
  return "it is one commit";
}

/** Nothing that the repository configures runs. */
const OPTIONS = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false"];

async function required(directory: string, args: readonly string[]): Promise<void> {
  const { exitCode, text } = await git(directory, args);
  if (exitCode !== 0) throw new Error(text.trim().split("\n")[0] ?? "git failed");
}

async function git(
  directory: string,
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly text: string }> {
  const child = Bun.spawn(["git", ...OPTIONS, "-C", directory, ...args], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [text, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  return { exitCode, text };
}
