import { hasOption, operandsOf } from "./command-options.ts";
import { isHarmlessAwk, isHarmlessSed } from "./harmless-script.ts";
import { onlyLooks } from "./looking-command.ts";

/** Programs that read a program of theirs, with the options that hold one. */
const interpreters: readonly {
  readonly name: RegExp;
  readonly text: RegExp;
  readonly valued: readonly string[];
}[] = [
  {
    name: /^(?:ba|z|da|k|mk|fi|a|c|tc|pw)?sh$|^(?:busybox|toybox|powershell)$/,
    text: /^-[A-Za-z]*c|^-[A-Za-z]*s$|^--(?:command|init-command|rcfile|init-file)|^-(?:EncodedCommand|Command)/i,
    valued: ["-o", "-O", "+o", "+O"],
  },
  { name: /^(?:python|pypy)[\d.]*$/, text: /^-[A-Za-z]*c/, valued: ["-W", "-X"] },
  {
    name: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    text: /^-[a-z]*[ep]$|^-e|^-p|^--(?:ev|pr)|^eval$|^--(?:import|loader|experimental-loader)=data:/,
    valued: [
      "-r",
      "--require",
      "--import",
      "--loader",
      "--experimental-loader",
      "-C",
      "--conditions",
      "--env-file",
    ],
  },
  { name: /^perl[\d.]*$/, text: /^-[A-Za-z\d]*[eE]/, valued: ["-I", "-M"] },
  { name: /^ruby[\d.]*$/, text: /^-[A-Za-z\d]*e/, valued: ["-I", "-r", "-C"] },
  { name: /^php[\d.]*$/, text: /^-[rBRE]|^--(?:run|process)/, valued: ["-d", "-c"] },
  {
    name: /^(?:lua[\d.]*|luajit|osascript|Rscript|R|julia|elixir|groovy|scala|raku|tclsh|guile)$/,
    text: /^-[A-Za-z]*[eE]/,
    valued: ["-l"],
  },
];

/** Options that only print something. */
const onlyPrints = /^(?:--version|--help|-V|-h)$/;

/** Whether a program runs a text: of its words, of its input, or a script for sed or awk that does more than print. */
export function runsText(name: string, words: readonly string[]): boolean {
  if (scriptPrograms.has(name)) return !scriptIsTold(name, words);
  const found = interpreters.find((one) => one.name.test(name));
  if (found === undefined) return false;
  let at = 0;
  for (; at < words.length && /^[-+]./.test(words[at] ?? ""); at++) {
    const word = words[at] ?? "";
    if (found.text.test(word)) return true;
    if (word === "-m") return false;
    if (found.valued.includes(word)) at += 1;
  }
  const program = words[at];
  if (program === undefined) return words.length !== 1 || !onlyPrints.test(words[0] ?? "");
  return program === "-" || program === "eval" || /^\/(?:dev|proc)\//.test(program);
}

/** Programs whose argument is a small program. */
const scriptPrograms: ReadonlySet<string> = new Set(["sed", "gsed", "awk", "gawk", "mawk", "nawk"]);

function scriptIsTold(name: string, words: readonly string[]): boolean {
  if (name.endsWith("awk"))
    return (
      onlyLooks({ words: ["awk", ...words], assignments: [] }) ||
      (operandsOf(words, ["-F", "-v"]).slice(0, 1).some(isHarmlessAwk) &&
        !hasOption(words, { short: "fil", long: ["file", "include", "load", "exec", "source"] }))
    );
  const scripts: string[] = [];
  for (const [index, word] of words.entries()) {
    if (/^-[A-Za-z]*e$|^--expression$/.test(word)) scripts.push(words[index + 1] ?? "");
    else if (word.startsWith("--expression=")) scripts.push(word.slice("--expression=".length));
    else if (/^-[nErsuz]*f|^--(?:file|fi)/.test(word) || /^-[nErsuz]*e./.test(word)) return false;
  }
  if (scripts.length === 0) scripts.push(...operandsOf(words).slice(0, 1));
  return scripts.every(isHarmlessSed);
}
