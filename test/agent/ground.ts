import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent, Answer, Question } from "../../src/agent/loop/events.ts";
import { type Started, type StartOptions, startAgent } from "../../src/agent/start-agent.ts";
import type { Language, ScriptedModel } from "./scripted-model.ts";

/** A home, a data folder and a project in a temporary place. */
export interface Ground {
  readonly place: string;
  readonly project: string;
  readonly home: string;
  readonly data: string;
  write(path: string, content: string | Buffer): string;
  read(path: string): string;
  start(model: ScriptedModel, options?: GroundOptions): Session;
  remove(): void;
}

export interface GroundOptions extends Partial<Omit<StartOptions, "ask">> {
  readonly language?: Language;
  readonly answer?: (question: Question) => Answer | Promise<Answer>;
  readonly modelId?: string;
  /** The key that goes to the model's server. */
  readonly key?: string;
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly profile?: string;
}

export interface Session extends Started {
  readonly events: readonly AgentEvent[];
  readonly questions: readonly Question[];
  /** Texts of all answers. */
  answers(): readonly string[];
}

export function skillText(name: string, description: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

const formats = { anthropic: "anthropic", responses: "openai", chat: "openai-compatible" } as const;

export function makeGround(name: string): Ground {
  const place = realpathSync(mkdtempSync(join(tmpdir(), `skillet-agent-${name}-`)));
  const at = { project: join(place, "project"), home: join(place, "home"), data: join(place, "data") };
  const open: Session[] = [];
  const write = (path: string, content: string | Buffer): string => {
    const whole = join(place, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    return whole;
  };
  write("home/.keep", "");
  write("project/.git/HEAD", "ref: refs/heads/main\n");
  return {
    place,
    ...at,
    write,
    read: (path) => readFileSync(join(place, path), "utf8"),
    start(model, options = {}) {
      const {
        language = "chat",
        answer,
        modelId = "scripted",
        settings = {},
        profile,
        key,
        env,
        ...rest
      } = options;
      const keyed = key === undefined ? {} : { key: "TEST_MODEL_KEY" };
      write(
        "home/.config/skillet/skillet.jsonc",
        JSON.stringify({
          model: `test/${modelId}`,
          providers: {
            test: {
              url: model.url,
              format: formats[language],
              models: { [modelId]: { window: 100_000 } },
              ...keyed,
            },
          },
          ...settings,
        }),
      );
      const events: AgentEvent[] = [];
      const questions: Question[] = [];
      const started = startAgent({
        open: {
          cwd: at.project,
          home: at.home,
          data: at.data,
          trust: true,
          ...(profile === undefined ? {} : { profile }),
          ...(key === undefined && env === undefined
            ? {}
            : { env: { ...env, ...(key === undefined ? {} : { TEST_MODEL_KEY: key }) } }),
        },
        model: null,
        agent: null,
        resume: null,
        assumeYes: false,
        schema: null,
        watch: false,
        stream: { firstWait: 5 },
        ...rest,
        ask:
          answer === undefined
            ? null
            : async (question) => {
                questions.push(question);
                return answer(question);
              },
      });
      started.agent.on((event) => events.push(event));
      const session: Session = {
        ...started,
        events,
        questions,
        answers: () => events.flatMap((event) => (event.type === "answer" ? [event.text] : [])),
      };
      open.push(session);
      return session;
    },
    remove() {
      for (const { agent } of open) agent.close();
      removeFolder(place);
    },
  };
}

/** A program whose terminal was just closed may still be writing its last lines. */
function removeFolder(path: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
