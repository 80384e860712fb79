// What this shell takes from the SDK. The build makes one file of it, because a process that is started for every
// session would otherwise spend most of its time on finding and reading modules.
export {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  McpServer,
  type Prompt,
  type PromptArgument,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Resource,
  type ServerContext,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/server";
export {
  DIRECTORY_MIME_TYPE,
  type Skill as SkillEntry,
  type SkillReadResult,
  type SkillSource,
  SkillsExtension,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
export { type ServeStdioOptions, serveStdio } from "@modelcontextprotocol/server/stdio";
