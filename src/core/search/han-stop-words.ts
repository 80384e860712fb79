/** Words around a Chinese request that say nothing about what is wanted. */
export const hanStopWords: ReadonlySet<string> = new Set(
  (
    "帮我 帮忙 麻烦 请问 请你 一个 一下 一些 一段 一份 一张 一篇 这个 那个 这些 那些 这段 这份 这张 这篇 把这 我们 你们 他们 我的 你的 我想 我要 " +
    "怎么 怎样 怎么样 如何 什么 为什么 是什么 可以 能否 能不能 可不可以 能够 需要 想要 现在 然后 里面 之后 以及 或者 还是 但是 不要 有没有 是否 进行 " +
    "使用 给我 几个 多少 出来 起来 下来 应该 看看 知道 告诉 关于 所有 一起 已经 因为 所以 如果 " +
    "今天 明天 昨天 今年 几点 刚才 刚刚 最近 时候 有什么 怎么办"
  ).split(" "),
);

const characters = "把的了吗呢吧请我你他它个这那是在和与用给对从让被就都也还要想能会有没不一下些";
const pieces = new RegExp(
  `${[...hanStopWords].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join("|")}|[${characters}]`,
  "gu",
);

/** A run of Han without those words, in pieces; none where nothing is left. */
export function meaningfulPieces(run: string): readonly string[] {
  return run.split(pieces).filter((piece) => piece !== "");
}
