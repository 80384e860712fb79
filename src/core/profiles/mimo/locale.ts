/** What a Chinese interface shows for one bundled skill. Texts are ours; alias words are facts of the seed. */
interface ChineseText {
  /** Slash aliases, several with `|` between them. */
  readonly slash: string;
  readonly description: string;
}

type Dictionary = Readonly<Record<string, ChineseText>>;

/**
 * Keys as that version has them: the entry of `mimocode-docs` stands under `mimocode`, so the skill has no Chinese name
 * (feature M16). `mate` and `memory-search` have no entry.
 */
const simplified: Dictionary = {
  arxiv: { slash: "论文搜索", description: "按关键词、作者或编号检索 arXiv 论文并取得摘要。" },
  "claude-code": { slash: "Claude编程", description: "把编程任务交给 Claude Code 命令行完成。" },
  codex: { slash: "Codex编程", description: "把编程任务交给 Codex 命令行完成。" },
  "compose-next": { slash: "新编排模式", description: "为能力较强的模型一次性编排完整的功能开发。" },
  "data-analytics": { slash: "数据分析", description: "分析数据集与业务指标，制作看板和报告。" },
  "deep-research": { slash: "深度研究", description: "综合多方来源开展研究，给出带引用的报告。" },
  "design-blueprint": { slash: "设计蓝图", description: "在动手做界面之前，用 DESIGN.md 定下视觉语言。" },
  "docx-official": { slash: "Word文档", description: "新建、编辑、转换和读取 Word 文档。" },
  "drive-mimo": { slash: "驱动MiMo", description: "从外部启动并操控 MiMo Code 会话。" },
  evolve: { slash: "自我进化", description: "为智能体自身添加新的技能、工具和钩子。" },
  "frontend-design": { slash: "前端设计", description: "设计并实现精致的网页界面。" },
  "grok-build": { slash: "Grok构建", description: "Grok Build 命令行的参考资料与工作流程。" },
  "html-to-video-pipeline": { slash: "HTML转视频", description: "把 HTML 动画渲染成视频文件。" },
  loop: { slash: "循环任务", description: "按固定间隔重复执行同一条提示。" },
  mimocode: { slash: "MiMo文档", description: "查阅 MiMo Code 的使用说明。" },
  "modern-python-toolchain": {
    slash: "Python工具链",
    description: "用现代的打包与检查工具搭建 Python 项目。",
  },
  "pdf-official": { slash: "PDF文档", description: "新建、编辑、合并、拆分和读取 PDF 文件。" },
  playwright: { slash: "浏览器自动化", description: "在终端里驱动真实的浏览器。" },
  "pptx-official": { slash: "PPT演示", description: "新建、编辑和读取 PowerPoint 演示文稿。" },
  "product-design": { slash: "产品设计", description: "撰写产品简报、用户流程、原型与设计评审。" },
  "research-paper-writing": { slash: "论文写作", description: "逐节撰写并修改学术论文。" },
  sales: { slash: "销售助手", description: "客户调研、拜访准备、商机梳理与业绩预测。" },
  "skill-creator": { slash: "技能创建", description: "新建技能，并改进已有的技能。" },
  "super-research": { slash: "自主研究", description: "自主开展实验、消融与基准对比。" },
  "xlsx-official": { slash: "Excel表格", description: "读取、编辑、分析和新建电子表格、CSV 与 TSV 文件。" },
};

const traditional: Dictionary = {
  arxiv: { slash: "論文搜尋", description: "依關鍵字、作者或編號檢索 arXiv 論文並取得摘要。" },
  "claude-code": { slash: "Claude程式設計", description: "把程式設計任務交給 Claude Code 命令列完成。" },
  codex: { slash: "Codex程式設計", description: "把程式設計任務交給 Codex 命令列完成。" },
  "compose-next": { slash: "新編排模式", description: "為能力較強的模型一次編排完整的功能開發。" },
  "data-analytics": { slash: "資料分析", description: "分析資料集與業務指標，製作看板和報告。" },
  "deep-research": { slash: "深度研究", description: "綜合多方來源進行研究，給出附引用的報告。" },
  "design-blueprint": { slash: "設計藍圖", description: "在動手做介面之前，用 DESIGN.md 定下視覺語言。" },
  "docx-official": { slash: "Word文件", description: "新增、編輯、轉換和讀取 Word 文件。" },
  "drive-mimo": { slash: "驅動MiMo", description: "從外部啟動並操控 MiMo Code 工作階段。" },
  evolve: { slash: "自我進化", description: "為代理自身加入新的技能、工具和掛鉤。" },
  "frontend-design": { slash: "前端設計", description: "設計並實作精緻的網頁介面。" },
  "grok-build": { slash: "Grok建置", description: "Grok Build 命令列的參考資料與工作流程。" },
  "html-to-video-pipeline": { slash: "HTML轉影片", description: "把 HTML 動畫算繪成影片檔案。" },
  loop: { slash: "循環任務", description: "依固定間隔重複執行同一條提示。" },
  mimocode: { slash: "MiMo文件", description: "查閱 MiMo Code 的使用說明。" },
  "modern-python-toolchain": {
    slash: "Python工具鏈",
    description: "用現代的打包與檢查工具建立 Python 專案。",
  },
  "pdf-official": { slash: "PDF文件", description: "新增、編輯、合併、分割和讀取 PDF 檔案。" },
  playwright: { slash: "瀏覽器自動化", description: "在終端機裡驅動真實的瀏覽器。" },
  "pptx-official": { slash: "PPT簡報", description: "新增、編輯和讀取 PowerPoint 簡報。" },
  "product-design": { slash: "產品設計", description: "撰寫產品簡報、使用者流程、原型與設計評審。" },
  "research-paper-writing": { slash: "論文寫作", description: "逐節撰寫並修改學術論文。" },
  sales: { slash: "銷售助手", description: "客戶調研、拜訪準備、商機梳理與業績預測。" },
  "skill-creator": { slash: "技能建立", description: "新增技能，並改進已有的技能。" },
  "super-research": { slash: "自主研究", description: "自主進行實驗、消融與基準比較。" },
  "xlsx-official": { slash: "Excel表格", description: "讀取、編輯、分析和新增試算表、CSV 與 TSV 檔案。" },
};

function entry(dictionary: Dictionary, name: string): ChineseText | null {
  return Object.hasOwn(dictionary, name) ? (dictionary[name] ?? null) : null;
}

function words(slash: string): readonly string[] {
  return slash
    .split("|")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Every Chinese name of a bundled skill, simplified first, each once; search uses them whatever the language. */
export function chineseAliases(name: string): readonly string[] {
  return [...new Set([simplified, traditional].flatMap((one) => words(entry(one, name)?.slash ?? "")))];
}

/** What an interface of a language (BCP 47) shows for a bundled skill; null when it is not Chinese or has no text. */
export function chineseText(
  name: string,
  language: string,
): { readonly aliases: readonly string[]; readonly description: string } | null {
  if (!/^zh(?:-|$)/i.test(language)) return null;
  const found = entry(/-(?:hant|tw|hk|mo)(?:-|$)/i.test(language) ? traditional : simplified, name);
  return found === null ? null : { aliases: words(found.slash), description: found.description };
}
