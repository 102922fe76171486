export interface SqlServer {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly pid: number
  stop(): Promise<void>
}
