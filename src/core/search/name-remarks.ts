/** What a request says of what stands right behind or before a phrase: that it is not meant, or a question about it. */
export interface NameRemark {
  readonly wish: "refused" | "known";
  /** Where the remark begins in the request. */
  readonly start: number;
  /** The words of what may be a name, one to three, in order; `end` includes marks around the word. */
  readonly words: readonly RemarkWord[];
  /** A part of a name is enough: the word is told as a thing, not as what something does. */
  readonly thing: boolean;
}

export interface RemarkWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const between = String.raw`(?:(?:use|using|for|a|an|any|the|with|to|as|in|into|skill)\s+){0,4}`;
const refusals =
  /** "not a X", "don't use X", "instead of X"; after "is" or "does" a bare "not" belongs to a verb. */
  new RegExp(
    String.raw`(?<start>^|[,;.:!?，；。！？]\s*|\b(?:but|and)\s+)no(?:t)?\s+(?!no\b)${between}|\b(?=not\s)(?<!\b(?:do|does|did|is|are|was|were|be|am|can|could|will|would|shall|should|may|might|must|has|have|had|why|if|whether|or|it|that|this|i|you|we|they)\s+)not\s+${between}|\b(?:is|are|was|be)\s+not\s+(?:a|an|the)\s+|\b(?<told>(?:don['’]?t|do\s+not|never|no\s+need\s+to|shouldn['’]?t|should\s+not|mustn['’]?t|must\s+not)\s+(?:use|load|want|need|run|call|invoke|apply|activate|start|pick|choose|take)|instead\s+of|rather\s+than|other\s+than|unlike)\s+${between}`,
    "giu",
  );
const refusalsInHan =
  /(?:(?<![要能可用想应應该該])不(?:要|想|需要|必|用|能|可以|应该|應該|得)?(?:再)?(?:使用|加载|加載|载入|載入|运行|運行|调用|調用|启用|啟用|选|選|用)|(?<![要能可用想应應该該])不要|(?:别|別)(?:再)?(?:使用|加载|加載|运行|運行|调用|調用|选|選|用)|而不是|(?<!是)不是)\s*/gu;
const questions =
  /\b(?:(?<ask>what(?:\s+(?:does|is|can|would|are)|['’]s)|how\s+(?:does|can|would))\s+(?:the\s+)?|(?:explain|describe|introduce|tell\s+(?:me|us)\s+(?:about|what)|(?:when|why|how)\s+(?:should|would|do|to|can))\s+(?:(?:when|what|how|why|i|we|you|one|should|would|to|can|do|the|use|is|about)\s+){0,6}|compare\s+(?:the\s+)?)/giu;
const questionsInHan =
  /(?:什么是|什麼是|介绍(?:一)?下?|介紹(?:一)?下?|解释(?:一)?下?|解釋(?:一)?下?|说明|說明)\s*/gu;
/** Behind a name: "X 是做什么的", "X 怎么用". */
const questionsBehind =
  /(?=[\p{Script=Latin}\p{N}/])(?<!(?:这个|那个|这份|那份|这|那|該|该|此|的|個|一个)\s*)(?<![\p{Script=Latin}\p{N}._:/-])\/?(?<name>[\p{Script=Latin}\p{N}]+(?:[-_:.][\p{Script=Latin}\p{N}]+)*)\s*(?:这个|這個)?\s*(?:技能|skill)?\s*(?:是(?:用来|用來|来|來)?(?:做|干|幹)(?:什么|什麼|啥|嘛)(?:用)?的?|是(?:什么|什麼|啥)|有(?:什么|什麼|啥)用|(?:能|可以|会|會)(?:做|干|幹)(?:什么|什麼|啥|嘛)|(?:怎么|怎麼|如何)(?:使用|用)|的(?:作用|用途|功能)(?:是(?:什么|什麼))?)\s*(?:呢|啊|呀)?\s*(?=$|[?？。.!！，,；;])/giu;

const word = /\s*["'`“「『]?\/?([\p{Script=Latin}\p{N}]+(?:[-_:.][\p{Script=Latin}\p{N}]+)*)["'`”」』]?/uy;

/** Behind a refused name; another word there is what is refused ("not a pdf expert"). */
const refusedTail =
  /^\s*(?:$|[-–—,.;:!?)\]，。；：！？）、/]|(?:but|please|instead|and|or|nor|then|use|load|try|take|skills?|files?|documents?|versions?|formats?|one|for|at|this\s+time|now|just|rather|thanks|anymore|again|today)(?![\p{Script=Latin}])|吧|了|啦|技能|格式|文件|文档|文檔|来|來|用|改|而|和|或|做|转|轉|处理|處理)/iu;
/** Behind a name that is asked about: the end of the question. */
const aboutTail =
  /^\s*(?:(?:skill|技能)\s*)?(?:$|[,.;:!?，。；：！？]|(?:instead|rather|or|and|vs|versus|with|against|for\s*(?:$|[?.!])|does|do(?:es)?\s+(?:and|exactly)|works?)(?![\p{Script=Latin}]))/iu;
const doesTail =
  /^\s*(?:skill\s*)?(?:do|work|does|works|(?:good|used|meant|there)\s+for|for|about|(?=$|[?.!]))\s*(?:exactly\s*)?(?:$|[?.!,;]|and\b)/iu;
const more = /^\s*(?:\bor\b|\bnor\b|或者?|、|和)\s*/iu;

/** Some of these is in every remark; most requests hold none, and are not looked at any closer. */
const hint =
  /\bnot?\b|n['’]?t\b|\bnever\b|\binstead\b|\brather\b|\bunlike\b|\bother\b|\bwhat|\bhow\b|\bwhen\b|\bwhy\b|\bexplain|\bdescribe|\bintroduce|\btell\b|\bcompare\b|[不别別什怎如的有能会會可介解说說]/iu;

/**
 * What a request says it does not want ("not X", "don't use X", "instead of X", "不要用X") and what it asks about ("what does X
 * do", "explain X", "X是做什么的"), in order. `named` tells whether words, joined, are a name; only names are told, and single
 * words that are refused, since they may be part of one. A remark stands directly at the name, a few articles and the like apart, and
 * the name is all that it is about: "not a pdf expert" and "what is in this pdf" are none.
 */
export function nameRemarks(query: string, named: (text: string) => boolean): readonly NameRemark[] {
  if (!hint.test(query)) return [];
  const found: NameRemark[] = [];

  /** The words from a place on that are a name with a fitting tail. */
  const readAt = (at: number, tail: RegExp): { words: readonly RemarkWord[]; known: boolean } | null => {
    const words: RemarkWord[] = [];
    for (let from = at; words.length < 3; from = word.lastIndex) {
      word.lastIndex = from;
      const match = word.exec(query);
      if (match === null) break;
      const blanks = match[0].length - match[0].trimStart().length;
      words.push({ text: match[1] as string, start: match.index + blanks, end: word.lastIndex });
    }
    for (let count = words.length; count > 0; count--) {
      const some = words.slice(0, count);
      if (!tail.test(query.slice((some[count - 1] as RemarkWord).end))) continue;
      const known = named(some.map(({ text }) => text).join(" "));
      if (known || count === 1) return { words: some, known };
    }
    return null;
  };
  const refuse = (match: RegExpExecArray, thing: boolean): void => {
    let at = match.index + match[0].length;
    let start = match.index;
    for (;;) {
      const read = readAt(at, refusedTail);
      if (read === null || !(read.known || thing)) return;
      found.push({ wish: "refused", start, words: read.words, thing: thing && !read.known });
      const end = (read.words.at(-1) as RemarkWord).end;
      const next = more.exec(query.slice(end));
      if (next === null) return;
      start = end;
      at = end + next[0].length;
    }
  };
  const ask = (match: RegExpExecArray, tail: RegExp): void => {
    const read = readAt(match.index + match[0].length, tail);
    if (read?.known === true)
      found.push({ wish: "known", start: match.index, words: read.words, thing: false });
  };

  for (const match of query.matchAll(refusals))
    refuse(match, match.groups?.start !== undefined || match.groups?.told !== undefined);
  for (const match of query.matchAll(refusalsInHan)) refuse(match, true);
  for (const match of query.matchAll(questions))
    ask(match, match.groups?.ask === undefined ? aboutTail : doesTail);
  for (const match of query.matchAll(questionsInHan)) ask(match, aboutTail);
  for (const match of query.matchAll(questionsBehind)) {
    const text = match.groups?.name as string;
    const start = match.index + match[0].indexOf(text);
    if (named(text))
      found.push({ wish: "known", start, words: [{ text, start, end: start + text.length }], thing: false });
  }
  return found.sort((a, b) => a.start - b.start);
}
