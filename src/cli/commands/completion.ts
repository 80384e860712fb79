import type { Command, Context } from "../command.ts";
import { usageError } from "../usage-error.ts";

/** `skillet completion SHELL`: a script that makes the Tab key know commands, flags and skills. */
export const completion: Command = {
  name: "completion",
  operands: "bash|zsh|fish",
  least: 1,
  summary: "script for the Tab key",
  details: [
    "bash: add  source <(skillet completion bash)  to ~/.bashrc.",
    "zsh: add  source <(skillet completion zsh)  to ~/.zshrc, behind compinit.",
    "fish: skillet completion fish > ~/.config/fish/completions/skillet.fish",
  ],
  run,
};

// The current line is split at blanks only: bash itself would split names at a colon.
const bash = `_skillet() {
  local -a typed
  local line="\${COMP_LINE:0:COMP_POINT}" current="" word
  read -ra typed <<< "$line"
  [[ $line == *[[:space:]] ]] && typed+=("")
  current="\${typed[-1]}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ $current == *:* ]] && word="\${word#"\${current%:*}:"}"
    COMPREPLY+=("$word")
  done < <(skillet __complete -- "\${typed[@]:1}" 2>/dev/null)
}
complete -o default -F _skillet skillet skl
`;

const zsh = `#compdef skillet skl
_skillet() {
  local -a candidates
  local line word
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    if [[ $line == *$'\\t'* ]]; then
      candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    else
      candidates+=("\${word//:/\\\\:}")
    fi
  done < <(skillet __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe skillet candidates
  else
    _files
  fi
}
compdef _skillet skillet skl
`;

const fish = `for name in skillet skl
    complete -c $name -f -a '(skillet __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
    complete -c $name -n '__fish_seen_subcommand_from check trust untrust' -F
end
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

async function run(context: Context): Promise<number> {
  const shell = context.operands[0] ?? "";
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw usageError(`There is no completion for "${shell}".`, `One of: ${Object.keys(scripts).join(", ")}.`);
  context.write(script);
  return 0;
}
