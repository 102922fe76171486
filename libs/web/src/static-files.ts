import { serveStatic } from '@hono/node-server/serve-static'

/** Files of a folder as a route. */
export const staticFiles = serveStatic
