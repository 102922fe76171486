import { suggest } from '@onrush/protocol/nearest'
import { Namespace, type NamespaceBase, type Root, Service } from 'protobufjs'
import { MessageType } from './message-type.ts'

export interface GrpcMethod {
  /** `/shop.Catalog/GetItem` */
  readonly path: string
  readonly clientStream: boolean
  readonly serverStream: boolean
  readonly request: MessageType
  readonly response: MessageType
}

/** The services that a connection knows, from .proto files or from the server. */
export class Schema {
  readonly #services = new Map<string, Service>()
  readonly #others: readonly string[]
  readonly #methods = new Map<string, GrpcMethod>()

  /** `others`: services of which only the name is known. */
  constructor(root: Root, others: readonly string[] = []) {
    root.resolveAll()
    this.#others = others
    for (const service of servicesIn(root)) this.#services.set(service.fullName.replace(/^\./, ''), service)
  }

  /** By `shop.Catalog/GetItem`; where there is none, what to write instead. */
  method(written: string): GrpcMethod | string {
    const [serviceName = '', name = ''] = written.replace(/^\//, '').split('/')
    const service = this.#services.get(serviceName)
    if (service === undefined) {
      const names = [...new Set([...this.#services.keys(), ...this.#others])]
      return `there is no service "${serviceName}" (${suggest(serviceName, names)})`
    }
    const found = service.methods[name]
    if (found === undefined) {
      return `${serviceName} has no method "${name}" (${suggest(name, Object.keys(service.methods))})`
    }
    const path = `/${serviceName}/${name}`
    let method = this.#methods.get(path)
    if (method === undefined) {
      found.resolve()
      const { resolvedRequestType: request, resolvedResponseType: response } = found
      if (request === null || response === null) return `the messages of ${path} are not declared`
      method = {
        path,
        clientStream: found.requestStream === true,
        serverStream: found.responseStream === true,
        request: new MessageType(request),
        response: new MessageType(response),
      }
      this.#methods.set(path, method)
    }
    return method
  }
}

function* servicesIn(namespace: NamespaceBase): Generator<Service> {
  for (const each of namespace.nestedArray) {
    if (each instanceof Service) yield each
    else if (each instanceof Namespace) yield* servicesIn(each)
  }
}
