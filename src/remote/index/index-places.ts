/**
 * Where an index may lie for an address, in the order in which they are asked: the address itself when it names a JSON file;
 * else `index.json` in it and the well-known places below it, those first for a bare host.
 */
export function indexPlaces(address: string): readonly string[] {
  if (!URL.canParse(address)) return [address];
  const url = new URL(address);
  url.hash = "";
  if (/\.json$/i.test(url.pathname)) return [url.href];
  url.search = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  const known = ["agent-skills", "skills"].map((name) => new URL(`.well-known/${name}/index.json`, url).href);
  const own = new URL("index.json", url).href;
  if (/\/\.well-known\//.test(url.pathname)) return [own];
  return url.pathname === "/" ? [...known, own] : [own, ...known];
}
