/** What a killer does its work over. */
interface Speaking {
  say(text: string): Promise<void>
  discard(why: string): void
  readonly usable: boolean
}

/** Ends statements of other connections, over one of its own that it opens when the first one is to end. */
export class MariadbKiller {
  readonly #open: () => Promise<Speaking>
  #link: Speaking | undefined = undefined
  #last: Promise<void> = Promise.resolve()

  constructor(open: () => Promise<Speaking>) {
    this.#open = open
  }

  /** One after the other, because there is one connection for them. */
  kill(connection: number): Promise<void> {
    const mine = this.#last.then(() => this.#kill(connection))
    // Whoever asked hears how it went; the next one's turn comes either way.
    this.#last = mine.catch(() => undefined)
    return mine
  }

  async #kill(connection: number): Promise<void> {
    if (this.#link?.usable !== true) {
      this.#link?.discard('it has ended')
      this.#link = undefined
      this.#link = await this.#open()
    }
    await this.#link.say(`KILL QUERY ${connection}`)
  }
}
