const endings =
  /\.(?:sh|bash|zsh|fish|ksh|command|py|pyw|js|mjs|cjs|ts|mts|cts|rb|pl|pm|php|lua|r|ps1|psm1|bat|cmd|vbs|wsf|hta|applescript|scpt|jar|exe|com|msi|dll|so|dylib|node|wasm|app|deb|rpm|appimage|go|awk|tcl)$/i;

/**
 * Whether a file of a skill can be run: by its ending, its right to be executed, a first line `#!`, or the head of a
 * program of Linux, macOS or Windows. `head`: at least its first four bytes.
 */
export function isScript(file: {
  readonly path: string;
  readonly executable: boolean;
  readonly head: Uint8Array;
}): boolean {
  if (file.executable || endings.test(file.path)) return true;
  const [a, b, c, d] = file.head;
  if (a === 0x23 && b === 0x21) return true;
  if (a === 0x7f && b === 0x45 && c === 0x4c && d === 0x46) return true;
  if (a === 0x4d && b === 0x5a) return true;
  return (
    (a === 0xcf && b === 0xfa && c === 0xed) ||
    (a === 0xca && b === 0xfe && c === 0xba && d === 0xbe) ||
    (a === 0xfe && b === 0xed && c === 0xfa)
  );
}
