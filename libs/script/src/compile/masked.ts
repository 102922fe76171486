const userInfo = /(:\/\/)[^/@\s'"]+@/g
const parameter = /([?&][\w.-]*(?:token|key|secret|password|signature|sig|auth)[\w.-]*=)[^&\s'"]+/gi

/** Text without the credentials that a URL may hold. */
export function masked(text: string): string {
  return text.replace(userInfo, '$1…@').replace(parameter, '$1…')
}
