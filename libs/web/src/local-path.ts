/**
 * Where to go after a login: a path of ours, whatever was asked for. `//evil.test`, `/\evil.test` and `/\t/evil.test`
 * are other hosts to a browser, so the URL parser that browsers share decides.
 */
export function localPath(wanted: string | undefined): string {
  if (wanted?.startsWith('/') !== true) return '/'
  const base = 'http://onrush.invalid'
  if (!URL.canParse(wanted, base)) return '/'
  const url = new URL(wanted, base)
  if (url.origin !== base) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path that begins with two slashes once its dots are gone (`/.//evil.test`) would be a host in a header.
  return path.startsWith('//') ? '/' : path
}
