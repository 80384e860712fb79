/** SKILL.md in any case, as a path of its own or the last segment of one. */
export const anySkillFile = /(?:^|\/)skill\.md$/i;

/**
 * The files of a skill with `skill.md` called SKILL.md, the name that agents look for; `was` is what it was called, null
 * where nothing changed. A skill that has a SKILL.md keeps its other spellings, which `judgeSkill` refuses as twins.
 */
export function withSkillFile<File extends { readonly path: string }>(
  files: readonly File[],
): { readonly files: readonly File[]; readonly was: string | null } {
  if (files.some(({ path }) => path === "SKILL.md")) return { files, was: null };
  const other = files.find(({ path }) => /^skill\.md$/i.test(path));
  if (other === undefined) return { files, was: null };
  return {
    files: files.map((file) => (file === other ? { ...file, path: "SKILL.md" } : file)),
    was: other.path,
  };
}
