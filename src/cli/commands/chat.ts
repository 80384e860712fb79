import { chatHere } from "../chat-here.ts";
import type { Command, Context } from "../command.ts";

/** `skillet chat`: the agent in the terminal. */
export const chat: Command = {
  name: "chat",
  operands: "[MESSAGE…]",
  most: null,
  summary: "work with the agent here, with every skill at hand",
  details: [
    "A conversation with a model that reads, edits and runs things in this folder, asks before it does, and loads skills as it needs them. /help in it lists commands and keys.",
    "A model is chosen by --model, by the setting model, or by the keys that are there: ANTHROPIC_API_KEY, OPENAI_API_KEY, or SKILLET_BASE_URL for any OpenAI-compatible server, also a local one. Nothing is sent anywhere else.",
    "Every session is stored and can be gone on with: --continue, --resume ID; --sessions lists them.",
  ],
  examples: [
    ["skillet chat", "begin"],
    ['skillet chat "what does this project do?"', "begin with a message"],
    ["skillet chat --continue", "go on with the last session of this folder"],
    ["skillet chat --sessions", "list the sessions of this folder"],
  ],
  flags: ["model", "continue", "resume", "sessions"],
  run: (context: Context) => chatHere(context, { first: context.operands.join(" ").trim() || null }),
};
