import type { Feed as FeedData } from '@onrush/protocol/feed'
import type { Injection as InjectionData } from '@onrush/protocol/injection'
import type { Json as JsonData } from '@onrush/protocol/json'
import type { Throttle as ThrottleData } from '@onrush/protocol/load'
import type { Simulation as SimulationData } from '@onrush/protocol/simulation'
import type { Step as StepData } from '@onrush/protocol/step'
import { describe, expectTypeOf, it } from 'vitest'
import type { CodeHttp, CodeSession } from './code-types.ts'
import type { Feed } from './feed-types.ts'
import type { HttpDefaults, HttpOptions } from './http-types.ts'
import type { Json } from './json.ts'
import type { Injection, ThrottleStep } from './load-types.ts'
import type { GrpcConnection } from './rpc-types.ts'
import type { Scenario, Simulation } from './simulation-types.ts'
import type { SqlConnection } from './sql-types.ts'
import type { Step } from './step-types.ts'

type GivenSession = Parameters<NonNullable<SimulationData['setup']>>[0]
type Connection<K extends 'sql' | 'grpc'> = NonNullable<SimulationData[K]>[string]
type AnyFunction = (...given: never[]) => unknown
/** Readonly all the way down, as authors' types are; functions and free JSON end the descent. */
type Frozen<T> = JsonData extends T
  ? Json
  : T extends AnyFunction
    ? AnyFunction
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T
type Keys<T, Type extends string = string> = T extends { type: Type } ? keyof T : never

describe("what authors write and what the protocol's schemas accept", () => {
  type Given = Omit<SimulationData, 'setup' | 'teardown'>

  it('is the same: all that the types allow has the shape of the data', () => {
    expectTypeOf((simulation: Simulation): Frozen<Given> => simulation).toBeFunction()
  })

  it('has the same fields everywhere', () => {
    expectTypeOf<keyof Simulation>().toEqualTypeOf<keyof SimulationData>()
    expectTypeOf<keyof Scenario>().toEqualTypeOf<keyof SimulationData['scenarios'][number]>()
    expectTypeOf<keyof HttpDefaults>().toEqualTypeOf<keyof NonNullable<SimulationData['http']>>()
    expectTypeOf<keyof SqlConnection>().toEqualTypeOf<keyof Connection<'sql'>>()
    expectTypeOf<keyof GrpcConnection>().toEqualTypeOf<keyof Connection<'grpc'>>()
    expectTypeOf<keyof Feed>().toEqualTypeOf<keyof FeedData>()
    expectTypeOf<Keys<Step, 'http'>>().toEqualTypeOf<Keys<StepData, 'http'>>()
    expectTypeOf<Keys<Step, 'sql'>>().toEqualTypeOf<Keys<StepData, 'sql'>>()
    expectTypeOf<Keys<Step, 'grpc'>>().toEqualTypeOf<Keys<StepData, 'grpc'>>()
    expectTypeOf<Keys<Step, 'jsonrpc'>>().toEqualTypeOf<Keys<StepData, 'jsonrpc'>>()
    expectTypeOf<Keys<Step>>().toEqualTypeOf<Keys<StepData>>()
    expectTypeOf<Step['type']>().toEqualTypeOf<StepData['type']>()
    expectTypeOf<Keys<Injection>>().toEqualTypeOf<Keys<InjectionData>>()
    expectTypeOf<Injection['type']>().toEqualTypeOf<InjectionData['type']>()
    expectTypeOf<Keys<ThrottleStep>>().toEqualTypeOf<Keys<ThrottleData[number]>>()
  })

  it('gives code steps the session that the engine makes', () => {
    type Rest<T> = Omit<T, 'http'>
    expectTypeOf((session: Rest<GivenSession>): Rest<CodeSession> => session).toBeFunction()
    expectTypeOf<keyof CodeHttp>().toEqualTypeOf<keyof GivenSession['http']>()
    type Given = NonNullable<Parameters<GivenSession['http']['get']>[2]>
    expectTypeOf((options: HttpOptions): Frozen<Given> => options).toBeFunction()
    expectTypeOf<keyof CodeSession>().toEqualTypeOf<keyof GivenSession>()
  })
})
