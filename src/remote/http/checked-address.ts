import { hostKind } from "./address-kind.ts";
import { FetchProblem } from "./http-failure.ts";
import type { HostPolicy } from "./http-types.ts";
import { showAddress } from "./show-address.ts";

const longestAddress = 4_096;

/**
 * The address as an URL that may be asked: http or https, no user name or password, within the policy. Throws
 * `FetchProblem` else (rows E04, E14, H02).
 */
export function checkedAddress(address: string, policy: HostPolicy): URL {
  if (address.length > longestAddress) throw new FetchProblem("address", "the address is too long");
  if (/[\u0000-\u0020\u007f\\]/.test(address))
    throw new FetchProblem("address", "the address holds characters that have no place in one");
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new FetchProblem("address", "that is no whole address");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new FetchProblem("address", `only https is used, not ${showAddress(url.protocol).slice(0, 20)}`);
  if (url.username !== "" || url.password !== "")
    throw new FetchProblem("address", "it holds a user name or password; a token goes into a variable");
  const refused = policy.refuse(url);
  if (refused !== null) throw new FetchProblem("forbidden", refused);
  const kind = hostKind(url.hostname);
  if (kind !== null && kind !== "public" && !policy.privateHost(url))
    throw new FetchProblem(
      "private",
      kind === "loopback" ? "it leads to this machine" : "it leads into a private or reserved network",
    );
  if (url.protocol === "http:" && !policy.plainHttp(url))
    throw new FetchProblem("address", "only https is used for this host, not http", {
      hint: "Write https, or name the host in `policy.plainHttp` of your own settings",
    });
  return url;
}
