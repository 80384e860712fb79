/** Order of paths by the bytes of their UTF-8 form, as `LC_ALL=C sort` has it (code units order astral ones differently). */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}
