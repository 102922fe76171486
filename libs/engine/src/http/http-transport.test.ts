import { HttpTransport } from './http-transport.ts'
import { describeTransport } from './transport-contract.testing.ts'
import { UndiciLine } from './undici-line.ts'

describeTransport('HTTP/1.1 of our own', options => new HttpTransport(options))
// Where HTTP/2 may be agreed on undici speaks, and HTTP/1.1 too when it is not.
describeTransport('undici', options => new HttpTransport(options, (settings, owner) => new UndiciLine(settings, owner)))
