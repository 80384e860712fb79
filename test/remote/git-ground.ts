import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A bare repository on disk, filled by its owner's working copy. */
export interface Upstream {
  /** The bare repository's folder, as `add` takes it. */
  readonly path: string;
  /** Writes files (null removes one; a leading `#!` makes it executable; `{ to }` is a link) and pushes a commit. Gives its id. */
  commit(
    files: Readonly<Record<string, string | Uint8Array | null | { readonly to: string }>>,
    branch?: string,
  ): string;
  git(...args: readonly string[]): string;
}

/** Git as nobody's configuration has it. */
const environment = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.invalid", GIT_COMMITTER_NAME: "a" },
  ...{ GIT_COMMITTER_EMAIL: "a@example.invalid", GIT_AUTHOR_DATE: "2020-01-01T00:00:00Z" },
  GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z",
};

export function upstream(folder: string): Upstream {
  const [work, bare] = [join(folder, "work"), join(folder, "upstream.git")];
  mkdirSync(work, { recursive: true });
  const run = (cwd: string, args: readonly string[]): string =>
    execFileSync("git", args, {
      cwd,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  run(folder, ["init", "-q", "--bare", "-b", "main", bare]);
  run(work, ["init", "-q", "-b", "main"]);
  return {
    path: bare,
    git: (...args) => run(work, args),
    commit(files, branch = "main") {
      run(work, ["checkout", "-q", "-B", branch]);
      for (const [name, content] of Object.entries(files)) {
        const path = join(work, name);
        mkdirSync(dirname(path), { recursive: true });
        if (content === null) run(work, ["rm", "-q", "-r", name]);
        else if (typeof content === "object" && "to" in content) symlinkSync(content.to, path);
        else {
          writeFileSync(path, content);
          if (typeof content === "string" && content.startsWith("#!")) chmodSync(path, 0o755);
        }
      }
      run(work, ["add", "-A", "-f"]);
      run(work, ["commit", "-q", "--allow-empty", "-m", "x"]);
      run(work, ["push", "-q", "-f", bare, branch]);
      return run(work, ["rev-parse", "HEAD"]);
    },
  };
}
