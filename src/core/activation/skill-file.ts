/** A file of a skill, never outside its folder. */
export type SkillFile =
  | { readonly kind: "text"; readonly text: string; readonly bytes: number }
  | { readonly kind: "binary"; readonly data: Uint8Array; readonly bytes: number }
  | { readonly kind: "refused"; readonly reason: string };
