import { runProgram } from "../common/command.ts";
import { codexSessions } from "../sessions/codex.ts";
import { sessionProgram } from "../sessions/session-program.ts";

await runProgram(sessionProgram("resume-codex", codexSessions));
