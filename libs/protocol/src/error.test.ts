import { expect, it } from 'vitest'
import { codeNames, codes } from './codes.ts'
import { fromProblem, OnrushError, toProblem } from './error.ts'
import { Problem } from './problem.ts'

it.each(codeNames)('an error of code %s is a problem of its status, and comes back as itself', code => {
  const error = new OnrushError(code, 'what to do', { errors: [{ path: '$.a', message: 'expected b' }] })
  const problem = Problem.parse(toProblem(error, '/api/x'))
  expect(problem.status).toBe(codes[code])
  expect(fromProblem(problem)).toEqual(error)
})
