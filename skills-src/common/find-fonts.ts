import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";

const most = 4000;

/** Places where systems keep fonts. */
function folders(): readonly string[] {
  const home = homedir();
  return [
    ...[join(home, ".fonts"), join(home, ".local/share/fonts"), "/usr/local/share/fonts", "/usr/share/fonts"],
    ...[join(home, "Library/Fonts"), "/Library/Fonts", "/System/Library/Fonts", "/System/Library/AssetsV2"],
    ...[
      join(process.env.WINDIR ?? "C:\\Windows", "Fonts"),
      join(process.env.LOCALAPPDATA ?? home, "Microsoft/Windows/Fonts"),
    ],
    "/data/data/com.termux/files/usr/share/fonts",
    "/usr/X11R6/lib/X11/fonts",
  ];
}

/** Known fonts in the order of liking: broad and well-drawn first; the rest follow by name. */
const preferred: readonly RegExp[] = [
  /^(?:NotoSansCJK|NotoSansSC|NotoSansCJKsc|SourceHanSans)(?:[^a-z].*)?(?:Regular|VF)?\./i,
  /^(?:PingFang|msyh|Hiragino Sans GB|STHeiti Light|simhei|Deng)\b/i,
  /^(?:wqy-zenhei|wqy-microhei|DroidSansFallback)/i,
  /^(?:NotoSerifCJK|NotoSerifSC|SourceHanSerif|simsun|Songti|uming)/i,
  /^(?:NotoSans|DejaVuSans|LiberationSans|Arial|arial|segoeui|seguisym|Arial Unicode)(?:-Regular)?\./i,
  /^(?:NotoEmoji|NotoSansSymbols|Symbola|Apple Symbols)/i,
  /regular|book/i,
];

let found: readonly string[] | null = null;

/** Font files of the machine, best first. */
export function findFonts(): readonly string[] {
  found ??= search();
  return found;
}

function search(): readonly string[] {
  const files: string[] = [];
  const visit = (folder: string, depth: number): void => {
    if (depth > 6 || files.length >= most) return;
    let entries: import("node:fs").Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path, depth + 1);
      else if (/\.(?:ttf|ttc|otf|otc)$/i.test(entry.name) && files.length < most) files.push(path);
    }
  };
  for (const folder of folders()) visit(folder, 0);
  const rank = (path: string): number => {
    const at = preferred.findIndex((pattern) => pattern.test(basename(path)));
    return at === -1 ? preferred.length : at;
  };
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
