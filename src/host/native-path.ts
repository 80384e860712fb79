/**
 * The border between the system's paths and ours: inside, every path uses `/` (`path.ts`). On POSIX both directions
 * hand the path back unchanged, because `\` is an ordinary character of a name there.
 */
const windows = process.platform === "win32";

/** The system's path in our form: `c:\a\b` → `C:/a/b`. */
export function toPortable(path: string): string {
  return windows ? portableFromWindows(path) : path;
}

/** Our path in the system's form. */
export function toNative(path: string): string {
  return windows ? nativeFromPortable(path) : path;
}

/** What `toPortable` does on Windows; long-path prefixes (`\\?\`) are dropped, the drive letter is upper case. */
export function portableFromWindows(path: string): string {
  const slashed = path.replace(/^\\\\\?\\(?=[A-Za-z]:)/, "").replaceAll("\\", "/");
  return /^[a-z]:/.test(slashed) ? slashed.charAt(0).toUpperCase() + slashed.slice(1) : slashed;
}

/** What `toNative` does on Windows. */
export function nativeFromPortable(path: string): string {
  return path.replaceAll("/", "\\");
}
