/** Where a text starts to say what the skill is not for. */
const opening =
  /(?:\b(?:do\s+not|don['’]t|never|should\s+not|must\s+not)\s+(?:be\s+)?(?:use|used|trigger|invoke|apply|activate|load|select|pick|choose|fire)\b|\bnot\s+(?:for|intended\s+for|meant\s+for|suitable\s+for|to\s+be\s+used|when|applicable)\b|(?:不要|请勿|請勿|切勿|不应|不應|不得)(?:使用|用于|用於|触发|觸發|调用|調用)|不(?:适用|適用|适合|適合|用)(?:于|於)|不是用来|不是用來|不负责|不負責)/giu;

/** "For charts, use plot-maker instead": another skill's job. */
const elsewhere = /\b(?:for|when|if)\b[^.;。；\n]{1,200}\buse\b[^.;。；\n]{1,120}\binstead\b/giu;

/** A sentence of its own, or the part behind a semicolon, that sends to one name: "For charts use plot-maker." */
const referral =
  /(?:(?<=^|[.;]\s)(?:For|To|When|If)|(?<=;\s)(?:for|when|if))\s[^.;。；\n]{1,200}?\suse\s+(?!it\b|this\b|that\b)[`"'/]?[a-z0-9]+(?:[-:_][a-z0-9]+)*[`"']?(?:\s+skill)?(?=[.;]|\s*$)/gmu;

/** The same in Chinese: "制作图表请用 plot-maker。" */
const referralInHan =
  /(?<=^|[。；！？.;\n])[^。；！？.;\n]{1,80}?(?:请|請|应|應|改)(?:改)?(?:用|使用)\s*[`"'“「/]?[a-z0-9]+(?:[-:_][a-z0-9]+)*[`"'”」]?(?:\s*技能)?(?=[。；.;]|\s*$)/gimu;

/** One of these stands in every match: most texts hold none, and are not looked at any closer. */
const hint = /not\b|n['’]t\b|never\b|instead\b|\suse\b|[不勿切请請应應改]/iu;

const sentenceEnd = /[.!?](?=\s|$)|[;。；！？\n]/gu;

/**
 * Parts a description into what the skill is for and what it is not for ("Do not use for …", "不适用于…", "for X use Y
 * instead"): words of the second kind speak for a skill only weakly. Every character is in exactly one of the two.
 */
export function splitExclusions(text: string): { readonly purpose: string; readonly exclusion: string } {
  if (!hint.test(text)) return { purpose: text, exclusion: "" };
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(opening)) {
    sentenceEnd.lastIndex = match.index + match[0].length;
    const stop = sentenceEnd.exec(text);
    ranges.push([match.index, stop === null ? text.length : stop.index]);
  }
  for (const pattern of [elsewhere, referral, referralInHan])
    for (const match of text.matchAll(pattern)) ranges.push([match.index, match.index + match[0].length]);
  if (ranges.length === 0) return { purpose: text, exclusion: "" };
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let purpose = "";
  let exclusion = "";
  let at = 0;
  for (const [start, end] of ranges) {
    if (end <= at) continue;
    purpose += text.slice(at, Math.max(at, start));
    exclusion += text.slice(Math.max(at, start), end);
    at = end;
  }
  return { purpose: purpose + text.slice(at), exclusion };
}
