/** Words of other tools that are commands here, under another name. */
export const aliases: Readonly<Record<string, string>> = {
  ls: "list",
  info: "show",
  explain: "why",
  lint: "check",
  validate: "check",
};

/** What people type who know other tools, and the command that they may mean. Never a request. */
export const otherWords: Readonly<Record<string, string>> = {
  view: "show",
  cat: "show",
  find: "search",
  create: "new",
  read: "load",
  use: "load",
};

const removing = "Remove its folder; `skillet show NAME` says where it is, `skillet disable NAME` hides it.";
const installing = "Put its folder below .agents/skills; `skillet paths` names every place.";

/** Verbs of other tools that nothing here does, with a way out; alone or with one more word they are no request. */
export const foreignVerbs: Readonly<Record<string, string>> = {
  rm: removing,
  delete: removing,
  uninstall: removing,
  install: installing,
  i: installing,
  get: installing,
  status: "Did you mean skillet or skillet doctor?",
  fix: "Did you mean skillet check --fix or skillet doctor --fix?",
  repair: "Did you mean skillet check --fix or skillet doctor --fix?",
  edit: "Open its SKILL.md in an editor; `skillet show NAME` says where it is.",
  open: "Open its SKILL.md in an editor; `skillet show NAME` says where it is.",
  which: "Did you mean skillet show NAME or skillet why NAME?",
  where: "Did you mean skillet show NAME or skillet paths?",
  diff: "`skillet list` names what changed since you trusted it, `skillet why NAME` says more.",
  agents: "Did you mean skillet profiles?",
};
