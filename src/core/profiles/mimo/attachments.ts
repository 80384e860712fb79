/** A file part of a message. */
export interface Attachment {
  readonly mime?: string | undefined;
  readonly filename?: string | undefined;
}

interface AttachmentRule {
  readonly skill: string;
  /** Compared as they are, case included. */
  readonly mimes: readonly string[];
  /** Lower case; compared with the end of the lower-cased file name. */
  readonly endings: readonly string[];
}

const office = "application/vnd.openxmlformats-officedocument";

/** The four document skills in the order in which they are named (feature M20; spec mimo-opencode 3.4). */
const rules: readonly AttachmentRule[] = [
  { skill: "pdf-official", mimes: ["application/pdf"], endings: [".pdf"] },
  {
    skill: "docx-official",
    mimes: [
      `${office}.wordprocessingml.document`,
      `${office}.wordprocessingml.template`,
      "application/msword",
    ],
    endings: [".docx", ".dotx"],
  },
  {
    skill: "xlsx-official",
    mimes: [
      `${office}.spreadsheetml.sheet`,
      `${office}.spreadsheetml.template`,
      "application/vnd.ms-excel",
      "application/vnd.ms-excel.sheet.macroenabled.12",
      "text/csv",
      "text/tab-separated-values",
    ],
    endings: [".xlsx", ".xlsm", ".xltx", ".csv", ".tsv"],
  },
  {
    skill: "pptx-official",
    mimes: [`${office}.presentationml.presentation`, "application/vnd.ms-powerpoint"],
    endings: [".pptx"],
  },
];

/** Document skills that a message's files call for, each once, in fixed order (golden `mimo.attachments`). */
export function attachmentSkills(files: readonly Attachment[]): readonly string[] {
  return rules.filter((rule) => files.some((file) => applies(rule, file))).map(({ skill }) => skill);
}

function applies(rule: AttachmentRule, { mime, filename }: Attachment): boolean {
  if (mime !== undefined && rule.mimes.includes(mime)) return true;
  const name = asciiLower(filename ?? "");
  return rule.endings.some((ending) => name.endsWith(ending));
}

/** A–Z only: letters that merely fold to an ASCII one (`ſ`) don't count. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
