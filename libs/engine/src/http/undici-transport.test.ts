import { describeTransport } from './transport-contract.testing.ts'
import { UndiciTransport } from './undici-transport.ts'

describeTransport('undici', options => new UndiciTransport(options))
