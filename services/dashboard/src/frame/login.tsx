import { useState } from 'preact/hooks'
import { logIn } from '../api/access.ts'

export function Login() {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = async () => {
    setProblem(undefined)
    try {
      setProblem(await logIn(token))
    } catch {
      // The network's own words help nobody.
      setProblem('the reporter does not answer')
    }
  }
  return (
    <main class="login">
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          if (token !== '') void submit()
        }}
      >
        <h1>This reporter wants a token</h1>
        <p class="muted">
          The one you were given, or the one it was started with: <code>ONRUSH_TOKEN</code> (or{' '}
          <code>ONRUSH_VIEWER_TOKEN</code>, to look only). The browser keeps the login for twelve hours.
        </p>
        {problem !== undefined && (
          <p class="danger-text" role="alert">
            {problem}
          </p>
        )}
        <label>
          Token
          <input
            type="password"
            autocomplete="current-password"
            value={token}
            onInput={event => setToken(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Log in
        </button>
      </form>
    </main>
  )
}
