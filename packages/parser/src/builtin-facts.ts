// Written by `npm run builtin-tools` from the builtin tools.

/** What is known of the builtin tools of the group `coding` where their code is not. */
export const coding = [
  { name: "bash", effects: "runs", isBasic: true, counterparts: ["bash"] },
  { name: "bash_output", companionOf: "bash", counterparts: ["bashoutput", "taskoutput"] },
  { name: "bash_stop", companionOf: "bash", counterparts: ["killshell", "killbash", "taskstop"] },
  { name: "read_file", effects: "reads", isBasic: true, counterparts: ["read"], replaces: ["skill"] },
  {
    name: "write_file",
    effects: "writes",
    isBasic: true,
    counterparts: ["write"],
    replaces: ["patch", "notebookedit"],
  },
  { name: "edit_file", effects: "writes", counterparts: ["edit", "multiedit"], replaces: ["patch", "notebookedit"] },
  { name: "grep", effects: "reads", counterparts: ["grep"] },
  { name: "glob", effects: "reads", counterparts: ["glob"] },
  { name: "list_files", effects: "reads", counterparts: ["ls", "list"] },
  { name: "web_fetch", counterparts: ["webfetch"] },
  { name: "web_search", counterparts: ["websearch"] },
  { name: "todo", counterparts: ["todowrite"] },
] as const;

/** What is known of the builtin tools of the group `aiagent` where their code is not. */
export const aiagent = [
  { name: "fs.list", effects: "reads" },
  { name: "fs.read", effects: "reads" },
  { name: "fs.write", effects: "writes" },
  { name: "shell.exec", effects: "runs" },
] as const;
