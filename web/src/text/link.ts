/**
 * Resolves a link from a collection, or gives null when it may not be followed.
 *
 * Only `http:` and `https:` survive, absolute or relative to `base`: everything
 * else (`javascript:`, `data:`, `file:`, malformed text) is dropped.
 */
export function safeLink(link: string | null | undefined, base: string): URL | null {
  if (link === null || link === undefined || link.trim() === "") return null;
  let url: URL;
  try {
    url = new URL(link, base);
  } catch {
    return null;
  }
  const web = url.protocol === "https:" || url.protocol === "http:";
  // A link with a password in it is a disguise, not a museum's page.
  return web && url.username === "" && url.password === "" ? url : null;
}
