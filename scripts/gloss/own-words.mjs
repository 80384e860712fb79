/** Words of software and office work that the dictionary lacks or explains otherwise; ours. */
export const ownWords = `
幻灯片 slide,presentation,pptx|演示文稿 presentation,slide,pptx|文档 document|文件 file,document|表格 table,spreadsheet,xlsx|电子表格 spreadsheet,xlsx
工作表 sheet,worksheet|图表 chart|数据库 database|数据 data|代码 code|审查 review|评审 review|代码审查 code review|部署 deploy|上线 deploy,release|发布 release,publish
测试 test|单元测试 unit test|调试 debug|报错 error|性能 performance|优化 optimize|爬虫 crawler,scrape|抓取 scrape,fetch|浏览器 browser|网页 web,page|网站 website,site
接口 api,interface|前端 frontend|后端 backend|服务器 server|容器 container,docker|镜像 image|集群 cluster|日志 log|监控 monitor|配置 configuration,config
提示词 prompt|大模型 llm,model|模型 model|智能体 agent|机器学习 machine learning|深度学习 deep learning|训练 train|微调 finetune|推理 inference|向量 vector|嵌入 embedding|检索 retrieval,search
搜索 search|翻译 translate|总结 summarize,summary|摘要 summary|报告 report|周报 weekly report|会议纪要 meeting notes|邮件 email|合同 contract|发票 invoice|简历 resume|论文 paper|参考文献 reference,citation
图片 image|照片 photo|视频 video|音频 audio|字幕 subtitle,caption|转录 transcribe|录音 recording|转换 convert|转成 convert|转为 convert|合并 merge|拆分 split|提取 extract|填写 fill|水印 watermark|加密 encrypt
脚本 script|仓库 repository|分支 branch|提交 commit|合并请求 pull request|版本 version|回滚 rollback|依赖 dependency|安装 install|升级 upgrade|迁移 migrate,migration|重构 refactor|架构 architecture
安全 security|漏洞 vulnerability|权限 permission|登录 login|认证 authentication|支付 payment|营销 marketing|文案 copy,copywriting|广告 ads,advertising|落地页 landing page|转化率 conversion|用户 user,customer|客户 customer
需求 requirement|计划 plan|任务 task|头脑风暴 brainstorm|复盘 retrospective|可视化 visualize,visualization|仪表盘 dashboard|分析 analyze,analysis|统计 statistics|预测 forecast,predict|清洗 clean
技能 skill|插件 plugin|工作流 workflow|自动化 automate,automation|定时 schedule|备份 backup|通知 notification|会话 session|对话 conversation|记忆 memory|终端 terminal|命令行 command line,cli|键盘 keyboard|截图 screenshot`;
