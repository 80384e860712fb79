import { runProgram } from "../common/command.ts";
import { claudeSessions } from "../sessions/claude.ts";
import { sessionProgram } from "../sessions/session-program.ts";

await runProgram(sessionProgram("resume-claude", claudeSessions));
