import { z } from 'zod'
import { LoginRequest, SessionAnswer, TicketAnswer } from '../login.ts'
import type { Endpoints } from './endpoint.ts'

const group = 'Access'
const page = { type: 'text/html', what: 'a page' } as const

/** What both services have. */
export const commonEndpoints = {
  'GET /healthz': {
    summary: 'Whether it works; 503 while a reporter cannot reach Redis.',
    role: 'anyone',
    group: 'Node',
    answers: {
      200: {
        json: z.strictObject({ status: z.literal('ok'), role: z.enum(['reporter', 'worker']), id: z.string() }),
        what: 'it does',
      },
    },
    examples: { alive: { status: 200 } },
  },
  'GET /metrics': {
    summary: 'Figures for Prometheus. Open to anyone with `ONRUSH_METRICS=open`.',
    role: 'viewer',
    group: 'Node',
    answers: { 200: { type: 'text/plain', what: 'gauges' } },
    examples: { scrape: { status: 200 } },
  },
  'GET /openapi.json': {
    summary: 'This document.',
    role: 'viewer',
    group: 'Node',
    answers: { 200: { json: z.record(z.string(), z.unknown()), what: 'OpenAPI 3.1' } },
    examples: { document: { status: 200 } },
  },
  'GET /docs': {
    summary: 'This document, to read.',
    role: 'viewer',
    group: 'Node',
    answers: { 200: page },
    examples: { page: { status: 200 } },
  },
  'POST /api/login': {
    summary: 'Opens a login of twelve hours, as a cookie that scripts cannot read and that never acts by GET.',
    role: 'anyone',
    group,
    body: LoginRequest,
    answers: { 200: { json: SessionAnswer, what: 'who one is now' } },
    fails: ['unauthorized', 'too_many'],
    examples: { 'a wrong token': { body: { token: 'nobody has this one' }, status: 401 } },
  },
  'POST /api/logout': {
    summary: 'Ends the login of this browser.',
    role: 'anyone',
    group,
    answers: { 204: { what: 'the cookie is gone' } },
    examples: { out: { status: 204 } },
  },
  'GET /api/session': {
    summary: 'Who asks, and how the service knows.',
    role: 'viewer',
    group,
    answers: { 200: { json: SessionAnswer, what: 'name and role' } },
    examples: { me: { status: 200 } },
  },
  'POST /api/ticket': {
    summary: 'A ticket that opens one websocket within half a minute: `?ticket=…`, where no header can be sent.',
    role: 'viewer',
    group,
    answers: { 200: { json: TicketAnswer, what: 'worth no more than who asked for it' } },
    examples: { ticket: { status: 200 } },
  },
  'GET /login': {
    summary: 'A form, for browsers.',
    role: 'anyone',
    group,
    query: z.strictObject({ to: z.string().max(2_000).optional().describe('a path of ours to go to afterwards') }),
    answers: { 200: page },
    examples: { form: { query: { to: '/' }, status: 200 } },
  },
  'POST /login': {
    summary: 'What the form sends.',
    role: 'anyone',
    group,
    bodyType: 'application/x-www-form-urlencoded',
    answers: {
      303: { what: 'logged in; leads on to `to`' },
      401: { type: 'text/html', what: 'the form again, with what was wrong' },
      429: { type: 'text/html', what: 'likewise, after too many attempts' },
    },
  },
} as const satisfies Endpoints
