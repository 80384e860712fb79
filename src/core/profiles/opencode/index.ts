export { openCodeProfiles } from "./profiles.ts";
