/** What a text given on the command line means, or what is wrong with it: expected, got, how to fix. */
export type Reading<T> = { readonly value: T } | { readonly problem: string }

export type Read<T> = (text: string) => Reading<T>

/** An option of a command: how it is spelled, what the help says, and how its texts become a value. */
export interface Option<T> {
  readonly summary: string
  readonly short?: string
  /** Stands for the value in the help; an option without one is a flag. */
  readonly placeholder?: string
  /** How often it may be given. */
  readonly repeats: boolean
  readonly read: (given: readonly string[]) => Reading<T>
}

export type Options = Readonly<Record<string, Option<unknown>>>

export type Given<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never }

interface Description<T> {
  readonly placeholder: string
  readonly summary: string
  readonly short?: string
  readonly read: Read<T>
}

export function flag(summary: string, short?: string): Option<boolean> {
  return { summary, short, repeats: false, read: given => ({ value: given.length > 0 }) }
}

/** An option given at most once; without a fallback it is undefined when it is not given. */
export function one<T>(description: Description<T> & { readonly fallback: T }): Option<T>
export function one<T>(description: Description<T>): Option<T | undefined>
export function one<T>({ read, fallback, ...rest }: Description<T> & { readonly fallback?: T }): Option<T | undefined> {
  return { ...rest, repeats: false, read: ([text]) => (text === undefined ? { value: fallback } : read(text)) }
}

/** An option that may be given any number of times. */
export function many<T>({ read, ...rest }: Description<T>): Option<readonly T[]> {
  return {
    ...rest,
    repeats: true,
    read: given => {
      const values: T[] = []
      for (const text of given) {
        const reading = read(text)
        if ('problem' in reading) return reading
        values.push(reading.value)
      }
      return { value: values }
    },
  }
}
