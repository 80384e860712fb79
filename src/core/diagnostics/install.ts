import { defineCodes } from "./define-codes.ts";

/** `skillet.lock`: what is installed and where it came from. */
export const lockCodes = defineCodes({
  "lock/unreadable": {
    severity: "error",
    title: "The lock is not understood",
    why: "Skillet writes a lock only when it understood all of it, so that nothing in it gets lost.",
    fix: "Take the file from version control, or resolve the conflict in it. A lock of a newer version needs a newer Skillet.",
  },
  "lock/digest": {
    severity: "error",
    title: "The lock's digest of a skill does not follow from its files",
    why: "A skill's digest is made of the digests of its files. Somebody changed one and not the other, or a merge mixed two versions, so the lock proves nothing about this skill.",
    fix: "Take the lock from version control, or remove the skill and add it again.",
  },
  "lock/merged": {
    severity: "info",
    title: "A merge conflict in the lock was resolved",
    why: "The two sides spoke of different skills, so both were taken.",
    fix: "Nothing to do; the next command that writes the lock writes it without the marks.",
  },
});

/** Installing skills from elsewhere, and what is on disk compared with the lock. */
export const installCodes = defineCodes({
  "install/no-skill": {
    severity: "error",
    title: "There is no skill there",
    why: "A skill is a folder with a file SKILL.md.",
    fix: "Check the address, or look into it with --dry-run at the folder above.",
  },
  "install/bad-name": {
    severity: "error",
    title: "The skill's name cannot be installed",
    why: "The name becomes a folder in several agents: lower-case letters, digits and single hyphens, at most 64.",
    fix: "Ask the publisher to follow the standard, or install a copy that you renamed.",
  },
  "install/name-differs": {
    severity: "warning",
    title: "The skill is installed under its folder's name",
    why: "The name in the file cannot be a folder in every agent, that of its folder can.",
    fix: "Nothing to do; the publisher should make both equal.",
  },
  "install/twice": {
    severity: "warning",
    title: "Two skills have one name",
    why: "Only one of them can be installed under that name; of one source the one nearest to the top was taken, of several sources the one that was named first.",
    fix: "Name the folder of the one you want.",
  },
  "install/unreadable-skill": {
    severity: "error",
    title: "The SKILL.md cannot be read",
    why: "An agent could not load it either.",
    fix: "Ask the publisher; `skillet check` says what is wrong.",
  },
  "install/unsafe-path": {
    severity: "error",
    title: "A file of the skill has an unsafe path",
    why: "It could not be written on every system, or would leave the skill's folder, or two files would be one.",
    fix: "Ask the publisher to rename the file.",
  },
  "install/too-large": {
    severity: "error",
    title: "The skill is larger than allowed",
    why: "A skill that large is a mistake or an attack.",
    fix: "Ask the publisher to leave out what does not belong into it.",
  },
  "install/link-left-out": {
    severity: "warning",
    title: "A link of the skill was left out",
    why: "It leads out of the skill's folder or to a folder. Skills from elsewhere have ordinary files only.",
    fix: "Ask the publisher to replace the link by the file.",
  },
  "install/link-resolved": {
    severity: "info",
    title: "A link came as the file that it leads to",
    why: "Not every system has links. The target is a file of the same skill.",
    fix: "Nothing to do.",
  },
  "install/large-file-pointer": {
    severity: "warning",
    title: "A file is only a pointer to large file storage",
    why: "Its content lies on another server and is not fetched.",
    fix: "Ask the publisher to store the file in the repository itself.",
  },
  "install/scripts": {
    severity: "info",
    title: "The skill brings scripts",
    why: "Nothing runs at installation, but a model that follows the skill may run them.",
    fix: "Look at them before you use the skill.",
  },
  "install/hidden-text": {
    severity: "warning",
    title: "A file of the skill has hidden characters",
    why: "Text that no person sees can carry instructions for a model.",
    fix: "Look at the place before you use the skill, and ask the publisher what it is for.",
  },
  "install/closed-archive": {
    severity: "info",
    title: "The skill holds an archive",
    why: "It is installed as the file it is; nothing looked into it.",
    fix: "Look into it before you use the skill.",
  },
  "install/in-the-way": {
    severity: "error",
    title: "Something else stands in the skill's place",
    why: "It was not installed by Skillet, so it is not replaced.",
    fix: "Move it away, or remove it, then try again.",
  },
  "install/not-ours": {
    severity: "warning",
    title: "A folder of that name is not ours and stays",
    why: "The lock says that a link or copy of the skill should stand there, but somebody replaced it.",
    fix: "Remove it by hand if it is no longer wanted.",
  },
  "install/edited": {
    severity: "warning",
    title: "The installed skill was changed by hand",
    why: "Its files differ from the lock, and nothing says that this is meant.",
    fix: "Keep it as meant with `skillet update NAME --take mine`, or take the locked version again with `skillet ci --yes`.",
  },
  "install/edits-kept": {
    severity: "info",
    title: "The installed skill has edits of yours that are kept",
    why: "The lock knows them: what is on disk is what came, with exactly these changes. Updates keep them.",
    fix: "Nothing to do. `skillet update NAME --take source` drops them; `skillet verify --strict` counts them as a difference.",
  },
  "install/edits-missing": {
    severity: "error",
    title: "Edits that the lock speaks of are nowhere",
    why: "The lock says that the skill stands here with changes made by hand. A lock holds only their digests, so they come from the disk, from version control or from the cache.",
    fix: "Put the skill's folder back from version control, or drop the edits with `skillet update NAME --take source`.",
  },
  "install/settled": {
    severity: "info",
    title: "A conflict was decided by your edit",
    why: "You changed the file after an update had shown the conflict, so your lines count where both sides changed the same. What else the source changed is taken.",
    fix: "Nothing to do; `--take new` takes theirs.",
  },
  "install/own-files": {
    severity: "error",
    title: "The installed folder holds something of yours that is no part of the skill",
    why: "A `.git` or a folder with nothing in it is in no digest, so replacing or removing the folder would lose it.",
    fix: "Move it out of the folder, then run the command again. Only .DS_Store, ._*, Thumbs.db and desktop.ini may be dropped.",
  },
  "install/other-source": {
    severity: "warning",
    title: "The skill comes from another source than until now",
    why: "The lock names one source for each skill; updates come from the new one from now on.",
    fix: "Make sure that you mean this source; add the skill from the old one to go back.",
  },
  "install/only-here": {
    severity: "warning",
    title: "The project's lock names a place of this machine",
    why: "Who checks the project out elsewhere does not have that folder, so `skillet ci` works there only with the skill's files in version control or in the cache.",
    fix: "Commit `.agents/skills`, put the source into the project or into a repository, or install it for yourself with --to user.",
  },
  "install/missing": {
    severity: "error",
    title: "The skill is in the lock but not on disk",
    why: "It was removed by hand, or the project was checked out without it.",
    fix: "Run `skillet ci`.",
  },
  "install/place-missing": {
    severity: "warning",
    title: "The skill is missing in an agent's folder",
    why: "The lock says that the agent gets a link or a copy.",
    fix: "Run `skillet ci`.",
  },
  "install/conflict": {
    severity: "error",
    title: "An update and your change touch the same lines",
    why: "Which of them is right only you know. Nothing was changed.",
    fix: "Change the file until it has what you want of both and update again, or use --take mine (your lines where both changed) or --take new (theirs); --take mine=FILE decides about one file.",
  },
  "install/gone-upstream": {
    severity: "warning",
    title: "The source no longer has this skill",
    why: "It was removed or renamed there. What is installed stays.",
    fix: "Remove it with `skillet remove`, or keep it.",
  },
  "install/moved-upstream": {
    severity: "info",
    title: "The skill moved inside its source",
    why: "It has another folder there now; the update follows it.",
    fix: "Nothing to do.",
  },
  "install/digest-mismatch": {
    severity: "error",
    title: "What was fetched is not what the lock says",
    why: "The source gave other content under the same revision, so it is not used.",
    fix: "Find out why before you go on. `skillet update` takes the new content knowingly.",
  },
  "install/fetch-failed": {
    severity: "error",
    title: "The source could not be fetched",
    why: "Without it nothing is changed.",
    fix: "Check the address and the network, then try again.",
  },
  "install/finished": {
    severity: "info",
    title: "An operation that was cut off was finished",
    why: "An earlier run ended in the middle, for example by a power cut.",
    fix: "Nothing to do.",
  },
  "install/kept-aside": {
    severity: "warning",
    title: "A folder was kept aside",
    why: "It had changed between an operation that was cut off and its end, so it was not removed.",
    fix: "Look into it and remove it when you no longer need it.",
  },
});
