const oses: Record<string, string> = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
  windows: 'win32',
}
const cpus = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']
const libcs: Record<string, string> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

export interface Platform {
  readonly os: string[]
  readonly cpu: string[]
  readonly libc?: string[]
}

/** What a binary package's name says of the platform it is for, such as `@oxc-parser/binding-linux-arm64-musl`. */
export function platformOf(name: string): Platform | undefined {
  const words = name.split('/').at(-1)?.split('-') ?? []
  const os = words.map(word => oses[word]).find(word => word !== undefined)
  const cpu = words.map(word => (word === '64' ? 'x64' : word)).find(word => cpus.includes(word))
  if (os === undefined || cpu === undefined) return undefined
  const libc = words.map(word => libcs[word]).find(word => word !== undefined)
  return { os: [os], cpu: [cpu], ...(libc && os === 'linux' ? { libc: [libc] } : {}) }
}
