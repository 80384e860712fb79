import { BlockList, isIP } from "node:net";

/** To whom an address of the internet protocol leads. */
export type AddressKind = "loopback" | "private" | "public";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Everything that is not handed out for the open internet: own networks, link-local, shared, tests, multicast. */
const special = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  special.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 96],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  special.addSubnet(network, bits, "ipv6");

/**
 * The kind of a literal address; null when the text is none. IPv6 forms that carry an IPv4 address (mapped, translated,
 * 6to4) are judged by that one (row E04, E23).
 */
export function addressKind(address: string): AddressKind | null {
  const bare = address.replace(/%.*$/, "");
  const version = isIP(bare);
  if (version === 0) return null;
  if (version === 4) return kindOf(bare, "ipv4");
  const carried = carriedAddress(bare);
  return carried === null ? kindOf(bare, "ipv6") : kindOf(carried, "ipv4");
}

/** The kind of a host as an URL gives it: a literal, with brackets for IPv6, or a name that always means this machine. */
export function hostKind(hostname: string): AddressKind | null {
  const bare = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (bare === "localhost" || bare.endsWith(".localhost") || bare === "ip6-localhost") return "loopback";
  return addressKind(bare);
}

function kindOf(address: string, family: "ipv4" | "ipv6"): AddressKind {
  if (loopback.check(address, family)) return "loopback";
  return special.check(address, family) ? "private" : "public";
}

function carriedAddress(address: string): string | null {
  const groups = groupsOf(address);
  if (groups === null) return null;
  const high = (at: number): number => groups[at] ?? 0;
  const v4 = (at: number): string =>
    [high(at) >> 8, high(at) & 255, high(at + 1) >> 8, high(at + 1) & 255].join(".");
  const zero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (zero(0, 5) && high(5) === 0xffff) return v4(6);
  if (zero(0, 4) && high(4) === 0xffff && high(5) === 0) return v4(6);
  if (high(0) === 0x64 && high(1) === 0xff9b) return v4(6);
  if (high(0) === 0x2002) return v4(1);
  return null;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] | null {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text =
    dotted === null
      ? address
      : `${dotted[1]}${(Number(dotted[2]) * 256 + Number(dotted[3])).toString(16)}:${(Number(dotted[4]) * 256 + Number(dotted[5])).toString(16)}`;
  const [head = "", tail] = text.split("::");
  const numbers = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const first = numbers(head);
  if (tail === undefined) return first.length === 8 ? first : null;
  const last = numbers(tail);
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}
