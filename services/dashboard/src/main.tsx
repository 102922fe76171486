import { render } from 'preact'
import { App } from './app.tsx'
import './style/tokens.css'
import './style/base.css'
import './style/frame.css'
import './style/run.css'
import './style/compare.css'
import './style/pages.css'
import './style/source.css'

const target = document.getElementById('app')
if (target !== null) render(<App />, target)
